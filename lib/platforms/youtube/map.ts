import * as z from 'zod';
import { sha256 } from '../../kernel/ids.ts';
import type { Json } from '../../kernel/json.ts';
import type { PublishJob } from '../contract/adapter.ts';
import { readOptions } from '../shared/options.ts';
import { cutText, isBlank, visibleText } from '../shared/text.ts';
import { refusedCharacters, titleCharacters } from './limits.ts';
import { YoutubeOptions } from './options.ts';

/** Returns the default title: the first visible line of the content; undefined if there is none. */
export function defaultTitle(content: string): string | undefined {
  for (const line of content.split(/[\r\n]+/)) {
    const title = cutText(line.replace(/[<>]/g, '').replace(refusedCharacters, ' ').trim(), titleCharacters);
    if (!isBlank(title)) return title;
  }
  return undefined;
}

/** The request that starts an upload. It has the video's metadata, which YouTube checks before any byte is sent. */
export interface UploadStart {
  readonly query: Readonly<Record<string, string>>;
  readonly video: Json;
}

/** The content of a job that becomes the video's metadata. */
type Described = Pick<PublishJob, 'content' | 'options'>;

/**
 * Returns the request that starts the job's upload.
 *
 * @param privacyStatus the privacy of the uploaded video
 * @throws PlatformError `rejected` for options that the rules refuse
 */
export function uploadStart(job: Described, privacyStatus: string): UploadStart {
  const options = readOptions(YoutubeOptions, job.options);
  const { hasPaidProductPlacement } = options;
  const hasPlacement = hasPaidProductPlacement !== undefined;
  return {
    query: {
      uploadType: 'resumable',
      part: hasPlacement ? 'snippet,status,paidProductPlacementDetails' : 'snippet,status',
      notifySubscribers: String(notifiesSubscribers(job)),
    },
    video: {
      snippet: snippetOf(job.content, options),
      status: {
        privacyStatus,
        selfDeclaredMadeForKids: options.madeForKids ?? false,
        ...chosenStatus(options),
      },
      // https://developers.google.com/youtube/v3/docs/videos#paidProductPlacementDetails.hasPaidProductPlacement
      ...(hasPlacement && { paidProductPlacementDetails: { hasPaidProductPlacement } }),
    },
  };
}

/** Returns the body of `videos.update` with all metadata of the job. It has every part, so an option that was removed is reset. */
export function privateMetadata(job: Described) {
  const options = readOptions(YoutubeOptions, job.options);
  return {
    snippet: snippetOf(job.content, options),
    status: statusOf(options, 'private'),
    paidProductPlacementDetails: { hasPaidProductPlacement: options.hasPaidProductPlacement ?? false },
  };
}

/** Returns a digest of a job's metadata, by which a change is recognized. */
export const metadataDigest = (job: Described): string =>
  sha256(JSON.stringify(privateMetadata(job))).slice(0, 16);

/** The properties of `status` that can be set, besides the privacy, as YouTube shows them. */
export const KnownSettings = z.partialRecord(
  z.enum([
    'license',
    'embeddable',
    'publicStatsViewable',
    'selfDeclaredMadeForKids',
    'containsSyntheticMedia',
  ]),
  z.union([z.string(), z.boolean()]),
);
export type KnownSettings = z.infer<typeof KnownSettings>;

/**
 * Returns a whole `status`. `videos.update` replaces the part: a property that is left out gets its default. So this has every
 * property: as the job's options say, or as YouTube has it, or with the default.
 *
 * @param known the properties as YouTube has them, if they are known
 */
export function statusOf(options: YoutubeOptions, privacyStatus: string, known: KnownSettings = {}) {
  return {
    privacyStatus,
    license: known.license ?? 'youtube',
    embeddable: known.embeddable ?? true,
    publicStatsViewable: known.publicStatsViewable ?? true,
    selfDeclaredMadeForKids: options.madeForKids ?? known.selfDeclaredMadeForKids ?? false,
    containsSyntheticMedia: known.containsSyntheticMedia ?? false,
    ...chosenStatus(options),
  };
}

/** Returns the properties of `status` that the options set. */
function chosenStatus({ containsSyntheticMedia, license, embeddable, publicStatsViewable }: YoutubeOptions) {
  return {
    ...(containsSyntheticMedia !== undefined && { containsSyntheticMedia }),
    ...(license !== undefined && { license }),
    ...(embeddable !== undefined && { embeddable }),
    ...(publicStatsViewable !== undefined && { publicStatsViewable }),
  };
}

function snippetOf(content: string, options: YoutubeOptions) {
  const { tags, defaultLanguage } = options;
  return {
    title: videoTitle(content, options),
    description: content,
    categoryId: options.categoryId ?? '22',
    ...(tags !== undefined && { tags }),
    ...(defaultLanguage !== undefined && { defaultLanguage }),
  };
}

/** Returns true if YouTube notifies subscribers of the job's video. Only the upload can say so. */
export const notifiesSubscribers = (job: Pick<PublishJob, 'options'>): boolean =>
  readOptions(YoutubeOptions, job.options).notifySubscribers ?? true;

/** Returns the requested privacy: `public`, `unlisted` or `private`. */
export function privacyOf({ privacy, privacyStatus, visibility }: YoutubeOptions): string {
  return privacy ?? privacyStatus ?? visibility ?? 'public';
}

/** Returns the title of a job's video. `lookUp` also uses it to find the video. */
export function videoTitle(content: string, { title }: Pick<YoutubeOptions, 'title'>): string {
  return title?.trim() ?? defaultTitle(content) ?? '';
}

/** Returns the first comment; undefined if there is none. */
export function firstCommentOf({ firstComment }: YoutubeOptions): string | undefined {
  return visibleText(firstComment);
}

/** A caption track of a post. A video has one track of each language and name. */
export interface Caption {
  /** A BCP 47 tag. */
  readonly language: string;
  /** Shown to viewers beside the language; may be empty. */
  readonly name: string;
  /** SubRip or WebVTT. */
  readonly text: string;
}

/** Returns the caption tracks of a post. */
export const captionsOf = ({ captions = [] }: YoutubeOptions): Caption[] =>
  captions.map(({ language, name = '', text }) => ({ language, name, text }));

export function permalinkOf(videoId: string): string {
  return `https://www.youtube.com/watch?v=${videoId}`;
}
