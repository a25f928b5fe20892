import type { Platform } from '../../../../platforms/contract/names.ts';
import { messageCharacters } from '../../../../platforms/facebook/limits.ts';
import { captionLimits } from '../../../../platforms/instagram/limits.ts';
import { commentaryUnits } from '../../../../platforms/linkedin/limits.ts';
import { toLittleText } from '../../../../platforms/linkedin/little-text.ts';
import { descriptionCharacters } from '../../../../platforms/pinterest/limits.ts';
import { characterCount, hashtags, mentions, utf8Bytes } from '../../../../platforms/shared/text.ts';
import { maxLinks, textLength } from '../../../../platforms/threads/limits.ts';
import { links, threadsLength } from '../../../../platforms/threads/text.ts';
import { photoCaptionUnits, videoCaptionUnits } from '../../../../platforms/tiktok/limits.ts';
import { descriptionBytes } from '../../../../platforms/youtube/limits.ts';
import type { DraftMedia } from '../../../media/draft-media.ts';
import type { Options } from './draft.ts';

export type Unit = 'characters' | 'bytes' | 'hashtags' | 'mentions' | 'links';

/** The part of a platform's limit that a text uses, as the platform counts it. */
export interface Count {
  readonly unit: Unit;
  readonly used: number;
  readonly most: number;
}

interface Counted {
  readonly content: string;
  readonly media: readonly DraftMedia[];
  readonly options: Options;
}

/** Counts what a platform counts in a text, its length first. Nothing where the platform shows no text. Pure. */
export function countsOf(platform: Platform, { content, media, options }: Counted): readonly Count[] {
  const isStory = (options['contentType'] ?? options['type']) === 'story';
  const isVideo = media.some(({ type }) => type === 'video');
  switch (platform) {
    case 'instagram':
      if (isStory) return [];
      return [
        { unit: 'characters', used: characterCount(content), most: captionLimits.characters },
        { unit: 'hashtags', used: hashtags(content).length, most: captionLimits.hashtags },
        { unit: 'mentions', used: mentions(content).length, most: captionLimits.mentions },
      ];
    case 'facebook':
      return isStory ? [] : [{ unit: 'characters', used: characterCount(content), most: messageCharacters }];
    case 'threads':
      return [
        { unit: 'characters', used: threadsLength(content), most: textLength },
        { unit: 'links', used: linksIn(content, options).size, most: maxLinks },
      ];
    case 'youtube':
      return [{ unit: 'bytes', used: utf8Bytes(content), most: descriptionBytes }];
    case 'pinterest':
      return [{ unit: 'characters', used: characterCount(content), most: descriptionCharacters }];
    case 'tiktok':
      // The app asks for the text of a draft's video.
      if (isVideo && options['draft'] === true) return [];
      return [
        { unit: 'characters', used: content.length, most: isVideo ? videoCaptionUnits : photoCaptionUnits },
      ];
    case 'linkedin':
      return [{ unit: 'characters', used: toLittleText(content).length, most: commentaryUnits }];
  }
}

function linksIn(content: string, { link }: Options): ReadonlySet<string> {
  const found = links(content);
  return typeof link === 'string' && link !== '' ? found.add(link) : found;
}

/** Returns what a person has to see: the length, and everything that is too much. */
export const shownOf = (counts: readonly Count[]): readonly Count[] =>
  counts.filter(({ used, most }, place) => place === 0 || used > most);
