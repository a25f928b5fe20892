import { mediaTypeOf } from '../types.ts';
import type { Inspection, MediaBucket } from '../uploads/complete-upload.ts';
import { probeImage } from './probe-image.ts';
import { noPicture } from './probe-mp4.ts';
import { probeVideo } from './probe-video.ts';
import { boundedReader, type ReadRange } from './range-reader.ts';
import { typeProblem } from './sniff.ts';

/**
 * Looks into a file: whether it is what its type says, and what else can be told of it, from a bounded number of ranges.
 *
 * @param contentType what its upload was granted for
 * @throws whatever `readRange` throws
 */
export async function inspectFile(
  readRange: ReadRange,
  sizeBytes: number,
  contentType: string,
): Promise<Inspection> {
  const reader = boundedReader(readRange, sizeBytes);
  const problem = await typeProblem(reader, contentType);
  if (problem !== undefined) return { state: 'unfit', reason: problem };
  if (contentType.startsWith('application/')) return { state: 'fit' };
  const isVideo = mediaTypeOf(contentType) === 'video';
  const probe = isVideo ? await probeVideo(reader, contentType) : await probeImage(reader);
  if (probe === noPicture)
    return { state: 'unfit', reason: `the file has sound alone: it is no ${contentType}` };
  return { state: 'fit', ...(probe && { probe }) };
}

class ObjectChangedError extends Error {
  override readonly name = 'ObjectChangedError';
}

/**
 * Looks into objects of a bucket.
 *
 * @param readRange gives `undefined` where the object is not the one with this entity tag any more
 */
export function inspectObject(
  readRange: (
    objectKey: string,
    first: number,
    last: number,
    etag: string,
  ) => Promise<Uint8Array | undefined>,
): MediaBucket['inspect'] {
  return async (objectKey, { sizeBytes, etag }, contentType) => {
    const read: ReadRange = async (first, last) => {
      const bytes = await readRange(objectKey, first, last, etag);
      if (!bytes) throw new ObjectChangedError(`${objectKey} has changed`);
      return bytes;
    };
    try {
      return await inspectFile(read, sizeBytes, contentType);
    } catch (error) {
      if (error instanceof ObjectChangedError) return { state: 'changed' };
      throw error;
    }
  };
}
