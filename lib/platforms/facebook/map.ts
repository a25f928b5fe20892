import type { PublishJob } from '../contract/adapter.ts';
import type { Parameters } from '../contract/http.ts';
import { comparableText, isOtherPage, isSameText, type Likeness } from '../shared/find-listed.ts';
import { readOptions } from '../shared/options.ts';
import { isBlank, visibleText } from '../shared/text.ts';
import { FacebookOptions, postKind } from './options.ts';

/** Returns the post that a job makes. @throws PlatformError `rejected` for options that the rules refuse */
export function readPost({
  content,
  media,
  options: given,
}: Pick<PublishJob, 'content' | 'media' | 'options'>) {
  const options = readOptions(FacebookOptions, given);
  return { kind: postKind(media, options), options, message: content };
}

/** Returns the parameters of a feed post. Omits an empty message, because Facebook refuses it. */
export function feedParameters(
  message: string,
  { link, draft, ...options }: FacebookOptions,
  photoIds: readonly string[],
): Parameters {
  return {
    message: isBlank(message) ? undefined : message,
    link,
    attached_media:
      photoIds.length === 0 ? undefined : JSON.stringify(photoIds.map((id) => ({ media_fbid: id }))),
    ...audience(options),
    ...(draft ? asDraft : { published: 'true' }),
  };
}

/** Returns the parameters of a video's last call. */
export function videoParameters(message: string, options: FacebookOptions): Parameters {
  return { ...videoTexts(message, options), ...audience(options), ...(options.draft && asDraft) };
}

/** Returns the parameters of a reel's last call ("Reels Publishing API", step 3). */
export function reelParameters(message: string, options: FacebookOptions): Parameters {
  return { video_state: options.draft ? 'DRAFT' : 'PUBLISHED', ...videoTexts(message, options) };
}

/** Returns the parameter that keeps a post from people in other countries ("Page Feed", `targeting`). */
function audience({ countries = [] }: FacebookOptions): Parameters {
  return countries.length === 0
    ? {}
    : { targeting: JSON.stringify({ geo_locations: { countries: [...new Set(countries)] } }) };
}

function videoTexts(message: string, { title }: FacebookOptions): Parameters {
  return { description: message || undefined, title: visibleText(title) };
}

/**
 * The parameters that make a post or a video a draft. The reference lists the values of the type. Our judgement, after
 * public projects: without `DRAFT`, Meta Business Suite does not list the draft.
 * https://developers.facebook.com/docs/graph-api/reference/page/videos
 */
const asDraft: Parameters = { published: 'false', unpublished_content_type: 'DRAFT' };

export interface ListedPost {
  readonly id: string;
  readonly message?: string | undefined;
  /** ISO 8601, to the second. */
  readonly created_time?: string | undefined;
  readonly permalink_url?: string | undefined;
  /** The ids of the post's photos and videos; empty for a text or a link. */
  readonly attached: readonly string[];
  /** The links that the post shows with a preview. */
  readonly links: readonly string[];
}

/** Returns the time at which the post was created, in epoch milliseconds; NaN if Facebook does not say. */
export function createdMs({ created_time = '' }: ListedPost): number {
  return Date.parse(created_time);
}

/** The features of a sent feed post that identify it. */
export interface SentPost {
  readonly message: string;
  readonly link: string | undefined;
  /** The ids of its photos. */
  readonly photos: readonly string[];
}

/**
 * Compares a listed post with the one that was sent. A post with photos is recognized by them, because no other post can
 * show them. Without photos the text must be the same, and without a text the link. The preview of a link may be missing.
 */
export function likenessOf(post: ListedPost, { message, link, photos }: SentPost): Likeness {
  if (photos.length > 0) return photos.some((id) => post.attached.includes(id)) ? 'media' : undefined;
  if (post.attached.length > 0 || !isSameText(post.message, message)) return undefined;
  if (comparableText(message) === '') {
    return post.links.some((shown) => isSameLink(shown, link)) ? 'text' : undefined;
  }
  const showsOtherLink = post.links.some((shown) => link !== undefined && isOtherPage(shown, link));
  return showsOtherLink ? undefined : 'text';
}

function isSameLink(shown: string, sent = ''): boolean {
  return URL.canParse(shown) && URL.canParse(sent) && new URL(shown).href === new URL(sent).href;
}

/** Returns the address behind Facebook's redirect to other sites; other links as they are. */
export function directLink(link: string): string {
  const url = URL.canParse(link) ? new URL(link) : undefined;
  const target = url && /^lm?\.facebook\.com$/.test(url.hostname) ? url.searchParams.get('u') : undefined;
  return target ?? link;
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
  readonly publishing_phase?:
    | (VideoPhase & {
        readonly publish_status?: string | undefined;
        /** Unix time in seconds. */
        readonly publish_time?: number | undefined;
      })
    | undefined;
}

export type VideoState =
  /** Facebook does not have the whole file yet. */
  | { readonly state: 'uploading' }
  /** Facebook has the file, and does not show a last call. */
  | { readonly state: 'uploaded' }
  /** The last call has arrived. */
  | { readonly state: 'processing' }
  | { readonly state: 'live' }
  /** @property isDownload true if Facebook could not download or store the file */
  | { readonly state: 'failed'; readonly reason: string; readonly isDownload: boolean };

const failedStatuses = ['error', 'upload_failed', 'expired'];
/** Returns true if a phase is complete. The API reference and the guide spell this status differently. */
const isComplete = (phase: VideoPhase | undefined) => ['complete', 'completed'].includes(phase?.status ?? '');

/**
 * Interprets a video's status. A draft is complete once Facebook has processed it. Our judgement: Facebook does so only
 * after the last call.
 *
 * @param isPublished the video's `published` field
 * @param isDraft true if the last call makes a draft
 */
export function videoState(
  status: VideoStatus,
  isPublished: boolean | undefined,
  isDraft = false,
): VideoState {
  const { video_status: word = '', uploading_phase, processing_phase, publishing_phase } = status;
  const isAnnounced = publishing_phase?.publish_status === 'published';
  // Checked before the failures: a video that is live must never be uploaded again, even if something else went wrong with it.
  if (isAnnounced && isComplete(publishing_phase)) return { state: 'live' };
  if (word === 'ready' && isPublished === true) return { state: 'live' };
  if (isDraft && word === 'ready' && isComplete(processing_phase)) return { state: 'live' };
  const phases = [uploading_phase, processing_phase, publishing_phase];
  const failed = phases.find((phase) => phase?.status === 'error');
  if (failed || failedStatuses.includes(word)) {
    const isDownload = word === 'upload_failed' || (failed !== undefined && failed === uploading_phase);
    return { state: 'failed', reason: failed?.message ?? (word || 'no reason given'), isDownload };
  }
  if (isAnnounced || processing_phase?.status === 'in_progress') return { state: 'processing' };
  return isComplete(uploading_phase) || word === 'upload_complete'
    ? { state: 'uploaded' }
    : { state: 'uploading' };
}

/** Adds the host, which Facebook omits in permalinks of videos. */
export function absolutePermalink(permalink: string): string {
  return permalink.startsWith('/') ? `https://www.facebook.com${permalink}` : permalink;
}
