import type { Ledger } from '../kit/ledger.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import { indexBy } from '../kit/records.ts';
import { objectIds } from '../meta/ids.ts';
import type { LoginToken } from '../meta/login.ts';

/** A professional account. Its username is also the login. */
export interface User {
  /** The professional account's id, `user_id` of the API. */
  readonly igId: string;
  /** The app-scoped id, `id` of the API. */
  readonly scopedId: string;
  readonly username: string;
  readonly name: string;
  readonly accountType: 'BUSINESS' | 'MEDIA_CREATOR';
  readonly followers: number;
}

export interface Token extends LoginToken {
  readonly igId: string;
}

export type ContainerKind = 'IMAGE' | 'VIDEO' | 'REELS' | 'STORIES' | 'CAROUSEL';

export interface Container {
  readonly id: string;
  readonly igId: string;
  readonly kind: ContainerKind;
  readonly isCarouselItem: boolean;
  readonly caption: string;
  readonly children: readonly string[];
  readonly altText?: string;
  readonly userTags?: readonly unknown[];
  readonly locationId?: string;
  readonly shareToFeed: boolean;
  readonly videoUrl?: string;
  readonly coverUrl?: string;
  readonly thumbOffsetMilliseconds?: number;
  readonly createdAt: number;
  /** The earliest end of processing, in epoch milliseconds; null if it never ends. */
  readonly readyAt: number | null;
  /** Absent until the file has been fetched, and for a carousel. */
  readonly media?: LiveMedia;
  readonly cover?: LiveMedia;
  /** The number in the status text, once processing has failed. */
  readonly failure?: string;
  readonly published?: { readonly mediaId: string; readonly at: number };
  /** See the setting `losesContainers`. */
  readonly isLost: boolean;
}

export interface Media {
  readonly id: string;
  readonly igId: string;
  readonly containerId: string;
  readonly shortcode: string;
  readonly permalink: string;
  readonly mediaType: 'IMAGE' | 'VIDEO' | 'CAROUSEL_ALBUM';
  readonly productType: 'FEED' | 'STORY' | 'REELS';
  readonly caption: string;
  readonly altText?: string;
  readonly shareToFeed: boolean;
  readonly publishedAt: number;
  /** Absent: true. */
  readonly isCommentEnabled?: boolean;
}

export interface Comment {
  readonly id: string;
  readonly mediaId: string;
  /** The commenter's Instagram-scoped id. */
  readonly fromId: string;
  readonly username: string;
  readonly text: string;
  readonly at: number;
  /** The top-level comment that this one answers. */
  readonly parentId?: string;
}

/** A person who has commented or written to an account. Each account has its own id for the same person. */
export interface Person {
  readonly id: string;
  readonly igId: string;
  readonly username: string;
  /** The time at which they last wrote or tapped. Before that, their profile cannot be read and the messaging window is closed. */
  readonly lastHeardAt?: number;
}

export type Button =
  | { readonly type: 'web_url'; readonly title: string; readonly url: string }
  | { readonly type: 'postback'; readonly title: string; readonly payload: string };

export interface Message {
  readonly id: string;
  readonly igId: string;
  readonly personId: string;
  readonly username: string;
  readonly from: 'account' | 'person';
  readonly text: string;
  readonly buttons: readonly Button[];
  /** The comment that a private reply answers. */
  readonly commentId?: string;
  /** The story that a person's message replies to. */
  readonly storyId?: string;
  readonly at: number;
}

export interface PrivateReply {
  readonly igId: string;
  readonly at: number;
}

export function openState(ledger: Ledger) {
  return {
    users: ledger.records<User>('user'),
    tokens: ledger.records<Token>('token', indexBy('igId', 'issuedAt')),
    containers: ledger.replicated<Container>('container', indexBy('igId', 'createdAt')),
    media: ledger.replicated<Media>('media', indexBy('igId', 'publishedAt')),
    /** The containers and media that have been read, by id; see the setting `firstReadMissing`. */
    wereRead: ledger.records<true>('was-read'),
    comments: ledger.replicated<Comment>('comment', indexBy('mediaId', 'at')),
    /** The webhook fields that an account is subscribed to, by account id. */
    subscriptions: ledger.records<readonly string[]>('subscription'),
    people: ledger.records<Person>('person', ({ igId }) => ({ owner: igId, at: 0 })),
    /** The ids of people, by `<account id>/<username>`. */
    peopleByName: ledger.records<string>('personByName'),
    /** The value of `is_user_follow_business`, by username; null if the profile omits it. */
    follows: ledger.records<boolean | null>('follow'),
    /** Indexed by person: each person has one conversation with the account. */
    messages: ledger.replicated<Message>('message', indexBy('personId', 'at')),
    /** The one private reply of each comment, by the comment's id. */
    privateReplies: ledger.records<PrivateReply>('privateReply', indexBy('igId', 'at')),
  };
}

export type State = ReturnType<typeof openState>;

/**
 * Ids have 17 digits, as the real ones, and `JSON.parse` would change all of them if they were numbers: they are 1
 * above a multiple of 4, and between 2^53 and 2^55 representable numbers are 2 or 4 apart.
 */
const ids = objectIds({
  user: 17_841_400_000_000_001n,
  scoped: 25_025_320_000_000_001n,
  container: 17_889_000_000_000_001n,
  media: 18_120_000_000_000_001n,
  comment: 17_990_000_000_000_001n,
  person: 26_512_000_000_000_001n,
});

export const nextId = ids.next;

/** The kind of object that an id names, even if no such object exists. */
export const idKind = ids.kindOf;

/** Returns a new message id, long and opaque as the real ones. */
export function messageId(ledger: Ledger): string {
  const text = `ig_message:${String(ledger.nextNumber('message')).padStart(64, '0')}`;
  return `aWdfZAG1f${Buffer.from(text).toString('base64url')}ZD`;
}

const shortcodeDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Returns Instagram's shortcode: the media id in base 64. */
export function shortcodeOf(mediaId: string): string {
  let rest = BigInt(mediaId);
  let text = '';
  for (; rest > 0n; rest /= 64n) text = `${shortcodeDigits[Number(rest % 64n)]}${text}`;
  return text;
}
