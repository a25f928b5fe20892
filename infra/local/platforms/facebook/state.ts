import type { Ledger } from '../kit/ledger.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import { indexBy } from '../kit/records.ts';
import { objectIds } from '../meta/ids.ts';
import type { MetaToken } from '../meta/tokens.ts';
import type { Targeting } from './targeting.ts';

/** A person who logs in. */
export interface Person {
  /** The app-scoped id. */
  readonly id: string;
  readonly username: string;
  readonly name: string;
  /** The Pages selected at the latest login; null means all of them. */
  readonly allowedPageIds: readonly string[] | null;
}

export interface Page {
  readonly id: string;
  readonly ownerId: string;
  readonly username?: string;
  readonly name: string;
  /** The person's permissions on the Page, such as `CREATE_CONTENT`. */
  readonly tasks: readonly string[];
  /** Set if a business owns the Page. The Page is then listed only under the business, unless `isListedTwice`. */
  readonly businessId?: string;
  readonly isListedTwice?: boolean;
}

export interface Token extends MetaToken {
  readonly kind: 'user' | 'page';
  readonly personId: string;
  readonly pageId?: string;
  /** The requested scopes that the person declined. */
  readonly declined: readonly string[];
  readonly isLong: boolean;
}

export interface Photo {
  readonly id: string;
  readonly pageId: string;
  readonly media: LiveMedia;
  readonly altText?: string;
  readonly createdAt: number;
  /** The post or story that shows the photo. A photo can be used once. */
  readonly usedBy?: string;
}

export type VideoKind = 'video' | 'reel' | 'story';

export interface Video {
  readonly id: string;
  readonly pageId: string;
  readonly kind: VideoKind;
  readonly createdAt: number;
  /** The session of the chunked upload. */
  readonly sessionId?: string;
  readonly fileBytes?: number;
  readonly storedBytes: number;
  /** Set once the whole file has arrived. */
  readonly media?: LiveMedia;
  /** The error code of the file check or of the failed fetch. */
  readonly failure?: string;
  /** The address to fetch the file from. The fetch is running until `media` or `failure` is set. */
  readonly fileUrl?: string;
  /** The accepted finish call. */
  readonly finish?: {
    readonly at: number;
    /** The end of processing, in epoch milliseconds; null if it never ends. */
    readonly readyAt: number | null;
    readonly text: string;
    readonly title?: string;
    readonly storyPostId?: string;
    readonly isDraft?: boolean;
    readonly targeting?: Targeting;
  };
  readonly cover?: LiveMedia;
  /** The invited Pages, each with the time of its invitation in epoch milliseconds. */
  readonly invited?: Readonly<Record<string, number>>;
}

/** A feed post or a story on a Page. */
export interface Post {
  readonly id: string;
  readonly pageId: string;
  readonly kind: 'feed' | 'story';
  readonly message: string;
  readonly link?: string;
  readonly photoIds: readonly string[];
  readonly videoId?: string;
  readonly permalink: string;
  readonly publishedAt: number;
  /** A draft can be read by its id only. */
  readonly isDraft?: boolean;
}

export interface Comment {
  readonly id: string;
  readonly postId: string;
  readonly fromId: string;
  readonly text: string;
  readonly at: number;
}

export function openState(ledger: Ledger) {
  return {
    people: ledger.records<Person>('person'),
    pages: ledger.records<Page>('page', ({ ownerId }) => ({ owner: ownerId, at: 0 })),
    tokens: ledger.records<Token>('token', indexBy('personId', 'issuedAt')),
    photos: ledger.records<Photo>('photo'),
    videos: ledger.replicated<Video>('video', indexBy('pageId', 'createdAt')),
    /** The ids of the videos that are live. */
    liveVideos: ledger.records<true>('live-video'),
    posts: ledger.replicated<Post>('page-post', indexBy('pageId', 'publishedAt')),
    comments: ledger.replicated<Comment>('comment', indexBy('postId', 'at')),
  };
}

export type State = ReturnType<typeof openState>;

/** The ids of all kinds. As with the real ids, `JSON.parse` would lose digits of the longer ones if they were numbers. */
const ids = objectIds({
  person: 122_100_000_000_000_001n,
  page: 105_400_000_000_001n,
  photo: 1_220_970_000_000_000_001n,
  video: 1_330_970_000_000_000_001n,
  post: 1_440_970_000_000_000_001n,
  comment: 1_550_970_000_000_000_001n,
});

export type IdKind = Parameters<typeof ids.next>[1];
export const nextId = ids.next;

/** Returns the kind of object that an id names, even if no such object exists. Ids of posts and comments have two parts. */
export function idKind(id: string): IdKind | undefined {
  const [, first = '', second] = /^(\d+)(?:_(\d+))?$/.exec(id) ?? [];
  const kind = ids.kindOf(first);
  if (second === undefined) return kind === 'comment' ? undefined : kind;
  return kind === 'post' ? 'comment' : 'post';
}
