import type { DescribedMedia } from '../platforms/contract/rules.ts';
import type { Media, MediaReference } from './schemas.ts';
import { unknownContentType } from './types.ts';

/**
 * Converts a media record to the form that the platforms' rules check.
 *
 * @param reference the post's reference to the file, with its type and alternative text
 * @param media the file's record; absent if there is no such file
 */
export function describeMedia(
  { type, altText }: Pick<MediaReference, 'type' | 'altText'>,
  media: (Pick<Media, 'contentType' | 'sizeBytes' | 'probe'> & Partial<Pick<Media, 'status'>>) | undefined,
): DescribedMedia {
  const asReferred = { type, ...(altText !== undefined && { altText }) };
  if (!media) return asReferred;
  const { contentType, sizeBytes, probe = {}, status } = media;
  const { width, height, durationMs, videoCodec, audioCodec, audioSampleRate, frameRate } = probe;
  const { hasEditList, moovFirst, audioChannels, chroma, scan, isMultiPicture, unknown } = probe;
  const { isFragmented, hasAlpha, isAnimated, colorModel } = probe;
  return {
    ...asReferred,
    ...(contentType !== unknownContentType && { contentType }),
    ...(sizeBytes !== undefined && { sizeBytes }),
    ...(width !== undefined && { widthPixels: width }),
    ...(height !== undefined && { heightPixels: height }),
    ...(durationMs !== undefined && { durationSeconds: durationMs / 1_000 }),
    ...(videoCodec !== undefined && { videoCodec }),
    ...(audioCodec !== undefined && { audioCodec }),
    ...(audioSampleRate !== undefined && { audioSampleRate }),
    ...(audioChannels !== undefined && { audioChannels }),
    ...(frameRate !== undefined && { framesPerSecond: frameRate }),
    ...(chroma !== undefined && { chroma }),
    ...(scan !== undefined && { scan }),
    ...(hasEditList !== undefined && { hasEditList }),
    ...(moovFirst !== undefined && { moovFirst }),
    ...(isFragmented !== undefined && { isFragmented }),
    ...(isMultiPicture !== undefined && { isMultiPicture }),
    ...(colorModel !== undefined && { colorModel }),
    ...(hasAlpha !== undefined && { hasAlpha }),
    ...(isAnimated !== undefined && { isAnimated }),
    ...(status === 'pending' && { isAwaited: true as const }),
    ...(unknown !== undefined && { unknown }),
  };
}
