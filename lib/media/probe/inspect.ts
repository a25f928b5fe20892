import { mediaTypeOf } from '../types.ts';
import type { Inspection, MediaBucket } from '../uploads/complete-upload.ts';
import { probeImage } from './probe-image.ts';
import { probeMp4 } from './probe-mp4.ts';
import { probeWebm } from './probe-webm.ts';
import { boundedReader, type RangeReader, type ReadRange } from './range-reader.ts';
import { typeProblem } from './sniff.ts';
import { UnfitFileError } from './unfit-file.ts';
import { type ProbedFields, validProbe, withUnknown } from './valid-probe.ts';

/**
 * Checks that a file is what its content type says, and probes its properties. Takes at most 64 MB of memory and a second
 * of processor time, and reads a bounded number of ranges. A file that cannot be probed is unfit: an image without a
 * size, a video without a complete index that has a video track, a file that is cut off. Documents are only recognized by their first bytes.
 *
 * @param contentType the content type of the upload grant
 * @returns a probe in which every value is valid, so it can be stored
 * @throws whatever `readRange` throws
 */
export async function inspectFile(
  readRange: ReadRange,
  sizeBytes: number,
  contentType: string,
): Promise<Inspection> {
  const reader = boundedReader(readRange, sizeBytes);
  try {
    const problem = await typeProblem(reader, contentType);
    if (problem !== undefined) return { state: 'unfit', reason: problem };
    if (contentType.startsWith('application/')) return { state: 'fit' };
    const probe = validProbe(await probeFields(reader, contentType));
    return { state: 'fit', probe: mediaTypeOf(contentType) === 'video' ? withUnknown(probe) : probe };
  } catch (error) {
    if (error instanceof UnfitFileError) return { state: 'unfit', reason: error.message };
    throw error;
  }
}

function probeFields(reader: RangeReader, contentType: string): Promise<ProbedFields> {
  if (mediaTypeOf(contentType) === 'image') return probeImage(reader, contentType);
  return ['video/webm', 'video/matroska'].includes(contentType) ? probeWebm(reader) : probeMp4(reader);
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
