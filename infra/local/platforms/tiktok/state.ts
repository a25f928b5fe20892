import { createHash } from 'node:crypto';
import { indexBy, type Ledger } from '../kit/ledger.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import { openUserTokens } from '../kit/login/user-tokens.ts';

export const privacyLevels = [
  'PUBLIC_TO_EVERYONE',
  'MUTUAL_FOLLOW_FRIENDS',
  'FOLLOWER_OF_CREATOR',
  'SELF_ONLY',
] as const;
export type PrivacyLevel = (typeof privacyLevels)[number];

export interface User {
  readonly username: string;
  readonly openId: string;
  readonly displayName: string;
  /** A private account cannot post to everyone. */
  readonly isPrivate: boolean;
  readonly isBanned: boolean;
  readonly commentDisabled: boolean;
  readonly duetDisabled: boolean;
  readonly stitchDisabled: boolean;
  readonly maxVideoSeconds: number;
}

/** What `post_info` says of a post; which fields there are depends on its kind. */
export interface PostInfo {
  readonly title: string;
  readonly description?: string | undefined;
  readonly privacy_level: PrivacyLevel;
  readonly [field: string]: unknown;
}

/** A post on its way, from its init on: what TikTok calls a publish. */
export interface Publish {
  readonly id: string;
  readonly kind: 'video' | 'photos';
  readonly username: string;
  /** The token that began it. */
  readonly token: string;
  readonly info: PostInfo;
  readonly beganAt: number;
  /** Of a video that is uploaded. */
  readonly upload?: Upload;
  /** Where TikTok fetches the files. */
  readonly urls: readonly string[];
  readonly photoCoverIndex?: number;
  /** How it ends, which is decided once all bytes are there. */
  readonly end?: PublishEnd;
}

export interface Upload {
  readonly secret: string;
  readonly expiresAt: number;
  readonly videoBytes: number;
  readonly chunkBytes: number;
  readonly storedBytes: number;
  /** As the chunks say. */
  readonly contentType?: string;
}

export interface PublishEnd {
  /** Null: processing never ends. */
  readonly at: number | null;
  /** The `fail_reason`. */
  readonly failReason?: string;
  readonly postId?: string;
  readonly media: readonly LiveMedia[];
}

/** Everything that TikTok remembers here, in the ledger. */
export function openState(ledger: Ledger) {
  return {
    users: ledger.records<User>('user'),
    ...openUserTokens(ledger),
    publishes: ledger.records<Publish>('publish', indexBy('username', 'beganAt')),
    /** When a token made calls of one kind, by `<token>/<kind>`; only the last minute is kept. */
    calls: ledger.records<readonly number[]>('calls'),
  };
}

export type State = ReturnType<typeof openState>;

/** Always the same for a username, as an app sees it. */
export function openIdOf(username: string): string {
  return `-000${createHash('sha256').update(username).digest('base64url').slice(0, 28)}`;
}

/** 19 digits, as the real ones: no number in JSON can hold them. */
export function nextPostId(ledger: Ledger): string {
  return String(7_530_000_000_000_000_001n + 4n * BigInt(ledger.nextNumber('post')));
}

export function permalinkOf({ kind, username }: Pick<Publish, 'kind' | 'username'>, postId: string): string {
  return `https://www.tiktok.com/@${username}/${kind === 'video' ? 'video' : 'photo'}/${postId}`;
}

/** Who can be shown a post, which depends on the account ("Query Creator Info"). */
export function privacyOptions({ isPrivate }: User): readonly PrivacyLevel[] {
  return [isPrivate ? 'FOLLOWER_OF_CREATOR' : 'PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'];
}
