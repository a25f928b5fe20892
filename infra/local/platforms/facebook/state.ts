import { indexBy, type Ledger } from '../kit/ledger.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import { objectIds } from '../meta/ids.ts';
import type { MetaToken } from '../meta/tokens.ts';

/** A person who logs in. */
export interface Person {
  /** App-scoped. */
  readonly id: string;
  readonly username: string;
  readonly name: string;
  /** The Pages that were ticked at the last login; null: all of them. */
  readonly allowedPageIds: readonly string[] | null;
}

export interface Page {
  readonly id: string;
  readonly ownerId: string;
  readonly username?: string;
  readonly name: string;
  /** What the person may do there, such as `CREATE_CONTENT`. */
  readonly tasks: readonly string[];
  /** Set where a business owns the Page: it is then listed under the business alone. */
  readonly businessId?: string;
}

export interface Token extends MetaToken {
  readonly kind: 'user' | 'page';
  readonly personId: string;
  readonly pageId?: string;
  /** What the person was asked for and left out. */
  readonly declined: readonly string[];
  readonly isLong: boolean;
}

/** A photo that was uploaded without being published. */
export interface Photo {
  readonly id: string;
  readonly pageId: string;
  readonly media: LiveMedia;
  readonly createdAt: number;
  /** The post or story that shows it; a photo is used once. */
  readonly usedBy?: string;
}

export type VideoKind = 'video' | 'reel' | 'story';

export interface Video {
  readonly id: string;
  readonly pageId: string;
  readonly kind: VideoKind;
  readonly createdAt: number;
  /** Of the chunked upload. */
  readonly sessionId?: string;
  readonly fileBytes?: number;
  readonly storedBytes: number;
  /** Present once the whole file is there. */
  readonly media?: LiveMedia;
  /** What is wrong with the file, or with how it could be fetched. */
  readonly failure?: string;
  /** Where the file is fetched from; until `media` or `failure` is there it is being fetched. */
  readonly fileUrl?: string;
  /** The finishing call that was accepted. */
  readonly finish?: {
    readonly at: number;
    /** Processing ends then; null: it never ends. */
    readonly readyAt: number | null;
    readonly text: string;
    readonly title?: string;
    readonly storyPostId?: string;
  };
  readonly cover?: LiveMedia;
}

/** What is on a Page: a feed post, or a story. */
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
}

export interface Comment {
  readonly id: string;
  readonly postId: string;
  readonly fromId: string;
  readonly text: string;
  readonly at: number;
}

/** Everything that Facebook remembers here, in the ledger. */
export function openState(ledger: Ledger) {
  return {
    people: ledger.records<Person>('person'),
    pages: ledger.records<Page>('page', ({ ownerId }) => ({ owner: ownerId, at: 0 })),
    tokens: ledger.records<Token>('token', indexBy('personId', 'issuedAt')),
    photos: ledger.records<Photo>('photo'),
    videos: ledger.records<Video>('video', indexBy('pageId', 'createdAt')),
    /** Which videos are on their Page by now. */
    liveVideos: ledger.records<true>('live-video'),
    posts: ledger.records<Post>('page-post', indexBy('pageId', 'publishedAt')),
    comments: ledger.records<Comment>('comment', indexBy('postId', 'at')),
  };
}

export type State = ReturnType<typeof openState>;

/** As with the real ones, none of the longer ids survives `JSON.parse` as a number. */
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

/** What kind of object an id names, whether or not there is one; the ids of posts and comments have two parts. */
export function idKind(id: string): IdKind | undefined {
  const [, first = '', second] = /^(\d+)(?:_(\d+))?$/.exec(id) ?? [];
  const kind = ids.kindOf(first);
  if (second === undefined) return kind === 'comment' ? undefined : kind;
  return kind === 'post' ? 'comment' : 'post';
}
