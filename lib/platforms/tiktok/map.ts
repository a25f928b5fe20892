import type { Json } from '../../kernel/json.ts';
import type { PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { LivePost } from '../contract/live-post.ts';
import { comparableText, isSameText } from '../shared/find-listed.ts';
import { readOptions } from '../shared/options.ts';
import { chunkPlan } from './chunks.ts';
import { TiktokOptions } from './options.ts';

type Content = Pick<PublishJob, 'content' | 'media' | 'options'>;
type JsonObject = { readonly [field: string]: Json };

/** The creator info that a post depends on. TikTok requires apps to read it before each post. */
export interface Creator {
  readonly username: string | null;
  readonly commentDisabled: boolean;
  readonly duetDisabled: boolean;
  readonly stitchDisabled: boolean;
}

/**
 * Returns true if an interaction must be turned off. "Users must manually turn on these interaction settings and none
 * should be checked by default." (https://developers.tiktok.com/doc/content-sharing-guidelines). If the creator has
 * turned it off in TikTok, no post can turn it on.
 */
function isOff(disable: boolean | undefined, isOffForCreator: boolean): boolean {
  return disable !== false || isOffForCreator;
}

/** Returns true if the post goes to the person's inbox in the TikTok app; the person then completes and posts it. */
export function isDraft({ options }: Pick<PublishJob, 'options'>): boolean {
  return options['draft'] === true;
}

/** Returns the request that starts the upload of a draft. It has no text and no settings. */
export function draftRequest(sizeBytes: number): JsonObject {
  return { source_info: fileSource(sizeBytes) };
}

/** Returns the request that starts a video's upload. @throws PlatformError `rejected` for options that the rules refuse */
export function videoRequest(job: Content, sizeBytes: number, creator: Creator): JsonObject {
  const options = readOptions(TiktokOptions, job.options);
  const { videoCoverTimestampMs } = options;
  return {
    post_info: {
      title: job.content,
      ...sharedInfo(options, creator),
      disable_duet: isOff(options.disableDuet, creator.duetDisabled),
      disable_stitch: isOff(options.disableStitch, creator.stitchDisabled),
      is_aigc: options.isAigc ?? false,
      ...(videoCoverTimestampMs !== undefined && { video_cover_timestamp_ms: videoCoverTimestampMs }),
    },
    source_info: fileSource(sizeBytes),
  };
}

function fileSource(sizeBytes: number): JsonObject {
  const { chunkBytes, count } = chunkPlan(sizeBytes);
  return {
    source: 'FILE_UPLOAD',
    video_size: sizeBytes,
    chunk_size: chunkBytes,
    total_chunk_count: count,
  };
}

/**
 * Returns the request that posts photos, or sends a draft of them. Only posts have settings, which "only work for
 * post_mode = DIRECT_POST". https://developers.tiktok.com/doc/content-posting-api-reference-photo-post
 *
 * @param creator null for a draft
 * @throws PlatformError `rejected` for options that the rules refuse
 */
export function photoRequest(job: Content, creator: Creator | null): JsonObject {
  const options = readOptions(TiktokOptions, job.options);
  const settings = creator && {
    ...sharedInfo(options, creator),
    auto_add_music: options.autoAddMusic ?? false,
  };
  return {
    media_type: 'PHOTO',
    post_mode: creator ? 'DIRECT_POST' : 'MEDIA_UPLOAD',
    post_info: { title: options.title ?? '', description: job.content, ...settings },
    source_info: {
      source: 'PULL_FROM_URL',
      photo_images: job.media.map(({ url }) => url),
      photo_cover_index: options.photoCoverIndex ?? 0,
    },
  };
}

function sharedInfo(options: TiktokOptions, creator: Creator): JsonObject {
  return {
    privacy_level: requiredPrivacy(options),
    disable_comment: isOff(options.disableComment, creator.commentDisabled),
    brand_content_toggle: options.brandContentToggle ?? false,
    brand_organic_toggle: options.brandOrganicToggle ?? false,
  };
}

/** Returns the privacy level. @throws PlatformError `rejected` if the options have none, which the rules refuse */
export function requiredPrivacy({ privacyLevel }: TiktokOptions): string {
  if (privacyLevel !== undefined) return privacyLevel;
  throw new PlatformError('rejected', 'platformSpecificData.privacyLevel: is required');
}

export function isVideo({ media }: Pick<PublishJob, 'media'>): boolean {
  return media[0]?.type === 'video';
}

/**
 * Returns a live post with its permalink.
 *
 * @param username the account's username when the post was made; null gives no permalink
 */
export function livePost(
  job: Pick<PublishJob, 'media'>,
  id: string,
  username: string | null,
  publishedMs?: number,
): LivePost {
  const kind = isVideo(job) ? 'video' : 'photo';
  return {
    platformPostId: id,
    permalink: username === null ? null : `https://www.tiktok.com/@${username}/${kind}/${id}`,
    publishedMs,
  };
}

/** A post in the account's list of public posts. */
export interface ListedPost {
  readonly id: string;
  /** Epoch seconds. */
  readonly create_time: number;
  readonly title?: string | undefined;
  readonly video_description?: string | undefined;
}

/** The shortest text that counts as a match if it is only a prefix. The list truncates texts (to 150 characters). */
const minCutUnits = 100;

/** Returns true if a listed post has the job's text. A job without a text matches nothing. */
export function matchesJob(listed: ListedPost, job: Content): boolean {
  const { title } = readOptions(TiktokOptions, job.options);
  const sent = comparableText(job.content) === '' ? (title ?? '') : job.content;
  const wanted = comparableText(sent);
  if (wanted === '') return false;
  return [listed.video_description, listed.title].some((text) => {
    const shown = comparableText(text).replace(/(\u2026|\.\.\.)$/u, '');
    const isCut = shown.length >= minCutUnits && shown !== wanted && wanted.startsWith(shown);
    return isCut || isSameText(text, sent);
  });
}
