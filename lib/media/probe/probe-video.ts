import type { MediaProbe } from '../schemas.ts';
import { type noPicture, probeMp4 } from './probe-mp4.ts';
import { probeWebm } from './probe-webm.ts';
import { type RangeReader, TooMuchToReadError } from './range-reader.ts';

/**
 * Probes a video from its index, without reading the media data.
 *
 * @returns `undefined` if the index cannot be read
 * @throws whatever reading from the bucket throws
 */
export async function probeVideo(
  reader: RangeReader,
  contentType: string,
): Promise<MediaProbe | typeof noPicture | undefined> {
  try {
    return await (contentType === 'video/webm' ? probeWebm(reader) : probeMp4(reader));
  } catch (error) {
    if (error instanceof TooMuchToReadError) return undefined;
    throw error;
  }
}
