import type { Ledger } from '../kit/ledger.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import { indexBy } from '../kit/records.ts';
import { objectIds } from '../meta/ids.ts';
import type { LoginToken } from '../meta/login.ts';

export interface User {
  readonly id: string;
  readonly username: string;
  readonly name?: string;
}

export interface Token extends LoginToken {
  readonly userId: string;
}

export type MediaType = 'TEXT' | 'IMAGE' | 'VIDEO' | 'CAROUSEL';

export interface Container {
  readonly id: string;
  readonly userId: string;
  readonly mediaType: MediaType;
  readonly isCarouselItem: boolean;
  readonly text: string;
  readonly children: readonly string[];
  readonly replyToId?: string;
  readonly imageUrl?: string;
  readonly videoUrl?: string;
  /** Options that are stored unchanged: `topic_tag`, `link_attachment`, `reply_control`, `alt_text` and others. */
  readonly options: Readonly<Record<string, string>>;
  readonly createdAt: number;
  /** The earliest end of processing, in epoch milliseconds; null if it never ends. */
  readonly readyAt: number | null;
  /** Absent until the file has been fetched. */
  readonly media?: LiveMedia;
  /** The `error_message`, once processing has failed. */
  readonly failure?: string;
  readonly published?: { readonly mediaId: string; readonly at: number };
  /** See the setting `losesContainers`. */
  readonly isLost: boolean;
}

export interface Media {
  readonly id: string;
  readonly userId: string;
  readonly mediaType: 'TEXT_POST' | 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM';
  readonly text: string;
  readonly shortcode: string;
  readonly permalink: string;
  readonly replyToId?: string;
  readonly publishedAt: number;
}

export function openState(ledger: Ledger) {
  return {
    users: ledger.records<User>('user'),
    tokens: ledger.records<Token>('token', indexBy('userId', 'issuedAt')),
    containers: ledger.replicated<Container>('container', indexBy('userId', 'createdAt')),
    media: ledger.replicated<Media>('media', indexBy('userId', 'publishedAt')),
  };
}

export type State = ReturnType<typeof openState>;

/** The ids of all kinds. As with the real ids, `JSON.parse` would lose digits if they were numbers. */
const ids = objectIds({
  user: 24_500_000_000_000_001n,
  container: 17_920_000_000_000_001n,
  media: 18_030_000_000_000_001n,
});

export const nextId = ids.next;

/** The kind of object that an id names, even if no such object exists. */
export const idKind = ids.kindOf;
