import { createHash } from 'node:crypto';
import { indexBy, type Ledger } from '../kit/ledger.ts';
import type { VideoMetadata } from './metadata.ts';

/** Glossary: a *user* is a Google account; it has at most one channel here, the one it chose at consent. */
export interface User {
  /** What is given as `login` at the consent page; also the channel's handle, without the `@`. */
  readonly username: string;
  readonly title: string;
  /** Absent: a Google account without a channel. */
  readonly channelId?: string;
  /** Verified by phone: may set thumbnails and upload more than 15 minutes. */
  readonly isVerified: boolean;
}

/** One consent of a user. Refresh and access tokens belong to it and die with it. */
export interface Grant {
  readonly id: string;
  readonly username: string;
  readonly scopes: readonly string[];
  readonly refreshToken?: string;
  /** Epoch milliseconds of the last exchange or refresh. */
  readonly usedAt: number;
  readonly isRevoked: boolean;
}

export interface AccessToken {
  readonly grantId: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

export interface UploadSession {
  readonly id: string;
  readonly username: string;
  readonly channelId: string;
  readonly metadata: VideoMetadata;
  readonly contentType: string;
  readonly declaredBytes: number;
  readonly fileName: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Present once the last byte has arrived. */
  readonly videoId?: string;
}

/** How processing ends; a failure and a rejection carry the platform's reason. */
export type ProcessingOutcome =
  | { readonly uploadStatus: 'processed' }
  | { readonly uploadStatus: 'failed' | 'rejected'; readonly reason: string };

export interface Video {
  readonly id: string;
  readonly channelId: string;
  readonly channelTitle: string;
  readonly metadata: VideoMetadata;
  readonly fileName: string;
  readonly bytes: number;
  /** When the last byte arrived, in epoch milliseconds. */
  readonly uploadedAt: number;
  /** When processing ends, in epoch milliseconds. */
  readonly processedAt: number;
  readonly outcome: ProcessingOutcome;
  /** Upright or square and at most three minutes long. */
  readonly isShort: boolean;
}

/** Everything that YouTube remembers here, in the ledger. */
export function openState(ledger: Ledger) {
  return {
    users: ledger.records<User>('user'),
    grants: ledger.records<Grant>('grant', indexBy('username', 'usedAt')),
    accessTokens: ledger.records<AccessToken>('access-token'),
    /** The id of the grant that each refresh token belongs to. */
    refreshTokens: ledger.records<string>('refresh-token'),
    sessions: ledger.records<UploadSession>('session', indexBy('channelId', 'startedAt')),
    videos: ledger.records<Video>('video', indexBy('channelId', 'uploadedAt')),
    /** Units used, by `<Pacific date>/<bucket>`. */
    quotaUse: ledger.records<number>('quota-use'),
  };
}

export type State = ReturnType<typeof openState>;

/** `UC` and 22 characters, always the same for a username. */
export function channelIdOf(username: string): string {
  return `UC${createHash('sha256').update(username).digest('base64url').slice(0, 22)}`;
}

/** The playlist that holds all that a channel has uploaded: its id with `UU` in front. */
export function uploadsPlaylistId(channelId: string): string {
  return `UU${channelId.slice(2)}`;
}
