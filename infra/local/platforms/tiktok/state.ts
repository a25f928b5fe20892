import { createHash } from 'node:crypto';
import type { Ledger } from '../kit/ledger.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import { openUserTokens } from '../kit/login/user-tokens.ts';
import { indexBy } from '../kit/records.ts';

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
  /** A private account cannot use `PUBLIC_TO_EVERYONE`. */
  readonly isPrivate: boolean;
  readonly isBanned: boolean;
  readonly commentDisabled: boolean;
  readonly duetDisabled: boolean;
  readonly stitchDisabled: boolean;
  readonly maxVideoSeconds: number;
}

/** The `post_info` of a post. Its fields depend on the kind of post. */
export interface PostInfo {
  readonly title: string;
  readonly description?: string | undefined;
  /** Absent for a draft. */
  readonly privacy_level?: PrivacyLevel | undefined;
  readonly [field: string]: unknown;
}

/** A post from its init on. TikTok calls it a publish. */
export interface Publish {
  readonly id: string;
  readonly kind: 'video' | 'photos';
  readonly username: string;
  /** The access token of the init call. */
  readonly token: string;
  readonly info: PostInfo;
  /** A draft goes to the person's inbox, and they post it in the TikTok app. */
  readonly isDraft?: true;
  readonly beganAt: number;
  /** Set for a video that the client uploads. */
  readonly upload?: Upload;
  /** The files that TikTok fetches; empty for an upload. */
  readonly urls: readonly string[];
  readonly photoCoverIndex?: number;
  /** The outcome, decided once all bytes have arrived. */
  readonly end?: PublishEnd;
}

export interface Upload {
  readonly secret: string;
  readonly expiresAt: number;
  readonly videoBytes: number;
  readonly chunkBytes: number;
  readonly storedBytes: number;
  /** The content type that the chunks declare. */
  readonly contentType?: string;
}

export interface PublishEnd {
  /** The end of processing, in epoch milliseconds; null if it never ends. */
  readonly at: number | null;
  /** The `fail_reason`. */
  readonly failReason?: string;
  readonly postId?: string;
  readonly media: readonly LiveMedia[];
}

export function openState(ledger: Ledger) {
  return {
    users: ledger.records<User>('user'),
    ...openUserTokens(ledger),
    publishes: ledger.replicated<Publish>('publish', indexBy('username', 'beganAt')),
    /** The times of recent calls, by `<token>/<endpoint>`. Only the last minute is kept. */
    calls: ledger.records<readonly number[]>('calls'),
  };
}

export type State = ReturnType<typeof openState>;

/** Returns the user's id for this app. A username always has the same id. */
export function openIdOf(username: string): string {
  return `-000${createHash('sha256').update(username).digest('base64url').slice(0, 28)}`;
}

/** Returns the next post id. It has 19 digits, as the real ids: `JSON.parse` loses their last digits. */
export function nextPostId(ledger: Ledger): string {
  return String(7_530_000_000_000_000_001n + 4n * BigInt(ledger.nextNumber('post')));
}

export function permalinkOf({ kind, username }: Pick<Publish, 'kind' | 'username'>, postId: string): string {
  return `https://www.tiktok.com/@${username}/${kind === 'video' ? 'video' : 'photo'}/${postId}`;
}

/** Returns the audiences that the account may choose ("Query Creator Info"). */
export function privacyOptions({ isPrivate }: User): readonly PrivacyLevel[] {
  return [isPrivate ? 'FOLLOWER_OF_CREATOR' : 'PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'];
}
