import { createHash } from 'node:crypto';
import type { Ledger } from '../kit/ledger.ts';
import type { LiveMedia } from '../kit/live-post.ts';
import { indexBy } from '../kit/records.ts';
import type { PrivacyStatus, VideoMetadata } from './metadata.ts';

/** A Google account. In the simulator it has at most one channel. */
export interface User {
  /** The `login` at the consent page, and the channel's handle without the `@`. */
  readonly username: string;
  readonly title: string;
  /** Absent if the account has no channel. */
  readonly channelId?: string;
  /** Verified by phone: may set thumbnails and upload videos longer than 15 minutes. */
  readonly isVerified: boolean;
}

/** One consent of a user. Revoking it invalidates its refresh and access tokens. */
export interface Grant {
  readonly id: string;
  readonly username: string;
  readonly scopes: readonly string[];
  readonly refreshToken?: string;
  /** Epoch milliseconds of the last exchange or refresh. */
  readonly usedAt: number;
  /** The end of a time-limited grant, in epoch milliseconds. */
  readonly endsAt?: number;
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
  /** The stored bytes that a status query reports while reads lag. */
  readonly storedBytes?: number;
  /** Set once the whole file has arrived. */
  readonly videoId?: string;
}

/** The outcome of processing. `reason` is the platform's failure or rejection reason. */
export type ProcessingOutcome =
  | { readonly uploadStatus: 'processed' }
  | { readonly uploadStatus: 'failed' | 'rejected'; readonly reason: string };

export interface Video {
  readonly id: string;
  readonly channelId: string;
  readonly channelTitle: string;
  readonly metadata: VideoMetadata;
  readonly fileName: string;
  readonly file: LiveMedia;
  /** The arrival of the last byte, in epoch milliseconds. */
  readonly uploadedAt: number;
  /** The time at which the video first became public or unlisted, in epoch milliseconds; absent until then. */
  readonly publicAt?: number;
  /** The end of processing, in epoch milliseconds. */
  readonly processedAt: number;
  readonly outcome: ProcessingOutcome;
  /** True if the video is portrait or square and at most three minutes long. */
  readonly isShort: boolean;
  readonly thumbnail?: LiveMedia;
  readonly captions?: readonly CaptionTrack[];
}

/** A caption track of a video. */
export interface CaptionTrack {
  readonly id: string;
  readonly language: string;
  readonly name: string;
  readonly text: string;
  /** The time of the upload, in epoch milliseconds. */
  readonly at: number;
}

export interface Playlist {
  readonly id: string;
  readonly channelId: string;
  readonly title: string;
  readonly privacyStatus: PrivacyStatus;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** A video in a playlist. A playlist may have a video several times. */
export interface PlaylistEntry {
  readonly id: string;
  readonly playlistId: string;
  readonly videoId: string;
  /** Epoch milliseconds. */
  readonly addedAt: number;
}

/** A comment on a video, which begins a thread. */
export interface Comment {
  readonly id: string;
  readonly videoId: string;
  /** The channel of the author. */
  readonly authorChannelId: string;
  readonly text: string;
  /** Epoch milliseconds. */
  readonly writtenAt: number;
}

export function openState(ledger: Ledger) {
  return {
    users: ledger.records<User>('user'),
    grants: ledger.records<Grant>('grant', indexBy('username', 'usedAt')),
    accessTokens: ledger.records<AccessToken>('access-token'),
    /** The grant id of each refresh token. */
    refreshTokens: ledger.records<string>('refresh-token'),
    sessions: ledger.replicated<UploadSession>('session', indexBy('channelId', 'startedAt')),
    videos: ledger.replicated<Video>('video', indexBy('channelId', 'uploadedAt')),
    playlists: ledger.replicated<Playlist>('playlist', indexBy('channelId', 'createdAt')),
    playlistEntries: ledger.replicated<PlaylistEntry>('playlist-entry', indexBy('playlistId', 'addedAt')),
    comments: ledger.replicated<Comment>('comment', indexBy('videoId', 'writtenAt')),
    /** Units used, by `<Pacific date>/<bucket>`. */
    quotaUse: ledger.records<number>('quota-use'),
  };
}

export type State = ReturnType<typeof openState>;

/** Returns a channel's id: `UC` and 22 characters. A username always has the same id. */
export function channelIdOf(username: string): string {
  return `UC${createHash('sha256').update(username).digest('base64url').slice(0, 22)}`;
}

/** Returns a playlist's id: `PL` and 32 characters. A title of a channel always has the same id. */
export function playlistIdOf(username: string, title: string): string {
  const digest = createHash('sha256').update(`playlist/${username}/${title}`).digest('base64url');
  return `PL${digest.slice(0, 32)}`;
}

/** Returns the playlist of all uploads of a channel: the channel's id with `UU` instead of `UC`. */
export function uploadsPlaylistId(channelId: string): string {
  return `UU${channelId.slice(2)}`;
}
