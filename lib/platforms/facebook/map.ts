import type { PublishJob } from '../contract/adapter.ts';
import type { Parameters } from '../contract/http.ts';
import { isNotOlder, plainLine } from '../shared/listed-posts.ts';
import { readOptions } from '../shared/options.ts';
import { FacebookOptions, postKind } from './options.ts';

/** The post that a job makes. @throws PlatformError `rejected` for options that the rules refuse */
export function readPost({
  content,
  media,
  options: given,
}: Pick<PublishJob, 'content' | 'media' | 'options'>) {
  const options = readOptions(FacebookOptions, given);
  return { kind: postKind(media, options), options, message: content };
}

/** The parameters of a feed post. Omits an empty message, because Facebook refuses it. */
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

/** The parameters of a video's or reel's go-live call. */
export function videoParameters(message: string, { title }: FacebookOptions): Parameters {
  return { description: message || undefined, title: title?.trim() || undefined };
}

export interface ListedPost {
  readonly id: string;
  readonly message?: string | undefined;
  /** ISO 8601, to the second. */
  readonly created_time?: string | undefined;
  readonly permalink_url?: string | undefined;
  /** The ids of the post's photos and videos; empty for a text or a link. */
  readonly attached: readonly string[];
}

/**
 * Whether a listed post is the job's. Compares the photos, which no other post can show; without photos, the text and
 * the time.
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
  const isRecent = isNotOlder(post.created_time, intentAt);
  return isRecent && post.attached.length === 0 && plainLine(post.message) === plainLine(message);
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
  /** Facebook does not have the whole file yet. */
  | { readonly state: 'uploading' }
  /** Facebook has the file, and there is no sign of a go-live call. */
  | { readonly state: 'uploaded' }
  /** The go-live call has arrived. */
  | { readonly state: 'processing' }
  | { readonly state: 'live' }
  | { readonly state: 'failed'; readonly reason: string };

const failedStatuses = ['error', 'upload_failed', 'expired'];
/** The API reference and the guide spell this status differently. */
const isComplete = (phase: VideoPhase | undefined) => ['complete', 'completed'].includes(phase?.status ?? '');

/** Interprets a video's status. @param isPublished the video's `published` field */
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

/** Adds the host, which Facebook omits in permalinks of videos. */
export function absolutePermalink(permalink: string): string {
  return permalink.startsWith('/') ? `https://www.facebook.com${permalink}` : permalink;
}
