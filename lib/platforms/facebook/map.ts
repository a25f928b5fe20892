import type { PublishJob } from '../contract/adapter.ts';
import type { Parameters } from '../contract/http.ts';
import { readOptions } from '../shared/options.ts';
import { FacebookOptions, postKind } from './options.ts';

/** @throws PlatformError `rejected` for options that the rules refuse */
export function readPost({
  content,
  media,
  options: given,
}: Pick<PublishJob, 'content' | 'media' | 'options'>) {
  const options = readOptions(FacebookOptions, given);
  return { kind: postKind(media, options), options, message: content };
}

/** A feed post. An empty message is left out: Facebook refuses one. */
export function feedParameters(
  message: string,
  { link }: FacebookOptions,
  photoIds: readonly string[],
): Parameters {
  return {
    message: message.trim() === '' ? undefined : message,
    link,
    attached_media:
      photoIds.length === 0 ? undefined : JSON.stringify(photoIds.map((id) => ({ media_fbid: id }))),
    published: 'true',
  };
}

/** The last call of a video or reel. */
export function videoParameters(message: string, { title }: FacebookOptions): Parameters {
  return { description: message || undefined, title: title?.trim() || undefined };
}

export interface ListedPost {
  readonly id: string;
  readonly message?: string | undefined;
  /** ISO 8601, to the second. */
  readonly created_time?: string | undefined;
  readonly permalink_url?: string | undefined;
  /** The ids of the photos and videos it shows; empty for a text or a link. */
  readonly attached: readonly string[];
}

/** Their clock and ours may differ by this much, and theirs has no milliseconds. */
const clockSlackMs = 30_000;

/**
 * Whether a post of the Page's list is the one: by a photo of its own, which no other post can show; without photos by
 * its text and time.
 *
 * @param intentAt epoch milliseconds
 */
export function isSamePost(
  post: ListedPost,
  message: string,
  photoIds: readonly string[],
  intentAt: number,
): boolean {
  if (photoIds.length > 0) return photoIds.some((id) => post.attached.includes(id));
  const isRecent = Date.parse(post.created_time ?? '') >= intentAt - clockSlackMs;
  return isRecent && post.attached.length === 0 && plain(post.message ?? '') === plain(message);
}

function plain(message: string): string {
  return message.normalize('NFC').replace(/\s+/g, ' ').trim();
}

/** A phase of a video's status ("Reels Publishing API", step 4). */
export interface VideoPhase {
  readonly status?: string | undefined;
  readonly message?: string | undefined;
}

export interface VideoStatus {
  readonly video_status?: string | undefined;
  readonly uploading_phase?: VideoPhase | undefined;
  readonly processing_phase?: VideoPhase | undefined;
  readonly publishing_phase?: (VideoPhase & { readonly publish_status?: string | undefined }) | undefined;
}

export type VideoState =
  /** The file is not there yet. */
  | { readonly state: 'uploading' }
  /** The file is there; nothing tells of a last call. */
  | { readonly state: 'uploaded' }
  /** The last call has arrived. */
  | { readonly state: 'processing' }
  | { readonly state: 'live' }
  | { readonly state: 'failed'; readonly reason: string };

const failedStatuses = ['error', 'upload_failed', 'expired'];
/** The reference says one, the guide's text the other. */
const isComplete = (phase: VideoPhase | undefined) => ['complete', 'completed'].includes(phase?.status ?? '');

/** What a video's status means. @param isPublished the video's `published` */
export function videoState(status: VideoStatus, isPublished: boolean | undefined): VideoState {
  const { video_status: word = '', uploading_phase, processing_phase, publishing_phase } = status;
  const phases = [uploading_phase, processing_phase, publishing_phase];
  const failed = phases.find((phase) => phase?.status === 'error');
  if (failed || failedStatuses.includes(word)) {
    return { state: 'failed', reason: failed?.message ?? (word || 'no reason given') };
  }
  const isAnnounced = publishing_phase?.publish_status === 'published';
  if (isAnnounced && isComplete(publishing_phase)) return { state: 'live' };
  if (word === 'ready' && isPublished === true) return { state: 'live' };
  if (isAnnounced || processing_phase?.status === 'in_progress') return { state: 'processing' };
  return isComplete(uploading_phase) || word === 'upload_complete'
    ? { state: 'uploaded' }
    : { state: 'uploading' };
}

/** Permalinks of videos come without a host. */
export function absolutePermalink(permalink: string): string {
  return permalink.startsWith('/') ? `https://www.facebook.com${permalink}` : permalink;
}
