import type { Json } from '../../kernel/json.ts';
import type { PublishJob } from '../contract/adapter.ts';
import { readOptions } from '../shared/options.ts';
import { cutText } from '../shared/text.ts';
import { titleCharacters } from './limits.ts';
import { YoutubeOptions } from './options.ts';

/** Returns the default title: the first non-empty line of the content; undefined if there is none. */
export function defaultTitle(content: string): string | undefined {
  for (const line of content.split(/[\r\n]+/)) {
    const title = cutText(line.replace(/[<>]/g, '').trim(), titleCharacters);
    if (title !== '') return title;
  }
  return undefined;
}

/** The request that starts an upload. It has the video's metadata, which YouTube checks before any byte is sent. */
export interface UploadStart {
  readonly query: Readonly<Record<string, string>>;
  readonly video: Json;
}

/** Returns the request that starts the job's upload. @throws PlatformError `rejected` for options that the rules refuse */
export function uploadStart(job: Pick<PublishJob, 'content' | 'options'>): UploadStart {
  const options = readOptions(YoutubeOptions, job.options);
  const { tags, defaultLanguage, license, embeddable, publicStatsViewable, containsSyntheticMedia } = options;
  const { hasPaidProductPlacement } = options;
  const hasPlacement = hasPaidProductPlacement !== undefined;
  return {
    query: {
      uploadType: 'resumable',
      part: hasPlacement ? 'snippet,status,paidProductPlacementDetails' : 'snippet,status',
      notifySubscribers: String(options.notifySubscribers ?? true),
    },
    video: {
      snippet: {
        title: videoTitle(job.content, options),
        description: job.content,
        categoryId: options.categoryId ?? '22',
        ...(tags !== undefined && { tags }),
        ...(defaultLanguage !== undefined && { defaultLanguage }),
      },
      status: {
        privacyStatus: privacyOf(options),
        selfDeclaredMadeForKids: options.madeForKids ?? false,
        ...(containsSyntheticMedia !== undefined && { containsSyntheticMedia }),
        ...(license !== undefined && { license }),
        ...(embeddable !== undefined && { embeddable }),
        ...(publicStatsViewable !== undefined && { publicStatsViewable }),
      },
      // https://developers.google.com/youtube/v3/docs/videos#paidProductPlacementDetails.hasPaidProductPlacement
      ...(hasPlacement && { paidProductPlacementDetails: { hasPaidProductPlacement } }),
    },
  };
}

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
  return firstComment?.trim() || undefined;
}

export function permalinkOf(videoId: string): string {
  return `https://www.youtube.com/watch?v=${videoId}`;
}
