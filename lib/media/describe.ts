import type { MediaType } from '../platforms/contract/names.ts';
import type { DescribedMedia } from '../platforms/contract/rules.ts';
import type { Media } from './schemas.ts';

/**
 * Converts a media record to the shape that the platforms' rules check.
 *
 * @param type the type that the post declares for the file
 * @param media the file's record; absent if there is no such file
 */
export function describeMedia(type: MediaType, media: Media | undefined): DescribedMedia {
  if (!media) return { type };
  const { contentType, sizeBytes, probe = {} } = media;
  const { width, height, durationMs, videoCodec, audioCodec, audioSampleRate, frameRate } = probe;
  const { hasEditList, moovFirst } = probe;
  return {
    type,
    contentType,
    ...(sizeBytes !== undefined && { sizeBytes }),
    ...(width !== undefined && { widthPixels: width }),
    ...(height !== undefined && { heightPixels: height }),
    ...(durationMs !== undefined && { durationSeconds: durationMs / 1_000 }),
    ...(videoCodec !== undefined && { videoCodec }),
    ...(audioCodec !== undefined && { audioCodec }),
    ...(audioSampleRate !== undefined && { audioSampleRate }),
    ...(frameRate !== undefined && { framesPerSecond: frameRate }),
    ...(hasEditList !== undefined && { hasEditList }),
    ...(moovFirst !== undefined && { moovFirst }),
  };
}
