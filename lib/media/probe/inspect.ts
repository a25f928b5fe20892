import { mediaTypeOf } from '../types.ts';
import type { Inspection, MediaBucket } from '../uploads/complete-upload.ts';
import { probeImage } from './probe-image.ts';
import { noPicture } from './probe-mp4.ts';
import { probeVideo } from './probe-video.ts';
import { boundedReader, type ReadRange } from './range-reader.ts';
import { typeProblem } from './sniff.ts';

/**
 * Checks that a file is what its content type says, and probes its properties. Reads a bounded number of ranges.
 *
 * @param contentType the content type of the upload grant
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
    return { state: 'unfit', reason: `the file has audio only; it is not a valid ${contentType}` };
  return { state: 'fit', ...(probe && { probe }) };
}

class ObjectChangedError extends Error {
  override readonly name = 'ObjectChangedError';
}

/**
 * Makes the function that inspects objects of a bucket.
 *
 * @param readRange returns `undefined` if the object no longer has this entity tag
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
