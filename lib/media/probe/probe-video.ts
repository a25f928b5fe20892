import type { MediaProbe } from '../schemas.ts';
import { type noPicture, probeMp4 } from './probe-mp4.ts';
import { probeWebm } from './probe-webm.ts';
import { type RangeReader, TooMuchToReadError } from './range-reader.ts';

/**
 * What can be told of a video from its index; nothing of the media itself is read.
 *
 * @returns `undefined` where the index cannot be read
 * @throws whatever reading from the bucket does
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
