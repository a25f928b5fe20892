/** "Resumable Uploads" guide: every chunk but the last is a multiple of 256 KiB. */
export const chunkGrainBytes = 262_144;
/** A lost chunk of this size costs seconds, and a file of 4 GiB is 512 requests. */
const chunkBytes = 32 * chunkGrainBytes;

/** The bytes from `first` to `last`, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * What to send next of a file of which `offset` bytes are stored: a chunk of 8 MiB, or what is left before the last
 * chunk. Undefined once only the last chunk is left, which is never more than 256 KiB: a video goes live with its
 * last byte, so that call has to be quick.
 */
export function nextChunk(offset: number, sizeBytes: number): ByteRange | undefined {
  const beforeLast = Math.floor((sizeBytes - offset - 1) / chunkGrainBytes) * chunkGrainBytes;
  if (beforeLast <= 0) return undefined;
  return { first: offset, last: offset + Math.min(chunkBytes, beforeLast) - 1 };
}

/** All that is left. */
export function lastChunk(offset: number, sizeBytes: number): ByteRange {
  return { first: offset, last: sizeBytes - 1 };
}
