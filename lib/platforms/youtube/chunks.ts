/**
 * The unit of a chunk's size. "Resumable Uploads" guide: the size of every chunk except the last must be a multiple of 256 KiB.
 */
export const chunkGrainBytes = 262_144;
/** The size of a chunk: 8 MiB. Sending a lost chunk again takes seconds, and a file of 4 GiB needs 512 requests. */
const chunkBytes = 32 * chunkGrainBytes;

/** The bytes from `first` to `last`, inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the next chunk to send after `offset` stored bytes: 8 MiB, or the rest before the last chunk. Undefined if
 * only the last chunk is left. That has at most 256 KiB, because it may make the video live and must be sent quickly.
 */
export function nextChunk(offset: number, sizeBytes: number): ByteRange | undefined {
  const beforeLast = Math.floor((sizeBytes - offset - 1) / chunkGrainBytes) * chunkGrainBytes;
  if (beforeLast <= 0) return undefined;
  return { first: offset, last: offset + Math.min(chunkBytes, beforeLast) - 1 };
}

/** Returns the chunk that completes the upload: all bytes from `offset`. Undefined if YouTube has all of them. */
export function lastChunk(offset: number, sizeBytes: number): ByteRange | undefined {
  return offset < sizeBytes ? { first: offset, last: sizeBytes - 1 } : undefined;
}
