import type { DraftMedia } from '../../../media/draft-media.ts';
import type { Options } from '../draft/draft.ts';

/** What of a destination decides which options it can have. */
export interface Facts {
  readonly images: number;
  readonly videos: number;
  readonly hasDocument: boolean;
  /** What the person has asked for: `feed`, `reel` or `story`. */
  readonly contentType: string | undefined;
  readonly options: Options;
}

export function factsOf(media: readonly DraftMedia[], options: Options): Facts {
  const contentType = options['contentType'] ?? options['type'];
  return {
    images: media.filter(({ type, isDocument }) => type === 'image' && !isDocument).length,
    videos: media.filter(({ type }) => type === 'video').length,
    hasDocument: media.some(({ isDocument }) => isDocument === true),
    contentType: typeof contentType === 'string' ? contentType : undefined,
    options,
  };
}

export const isStory = ({ contentType }: Facts): boolean => contentType === 'story';
export const isNoStory = (facts: Facts): boolean => !isStory(facts);
export const isOneVideo = ({ videos, images, hasDocument }: Facts): boolean =>
  videos === 1 && images === 0 && !hasDocument;
export const hasNoMedia = ({ images, videos, hasDocument }: Facts): boolean =>
  images + videos === 0 && !hasDocument;
export const hasMedia = (facts: Facts): boolean => !hasNoMedia(facts);
export const isCarousel = ({ images, videos }: Facts): boolean => images + videos > 1;
export const hasVideo = ({ videos }: Facts): boolean => videos > 0;
export const hasImages = ({ images }: Facts): boolean => images > 0;
export const hasNoVideo = ({ videos }: Facts): boolean => videos === 0;
export const isInstagramReel = (facts: Facts): boolean => isOneVideo(facts) && isNoStory(facts);
