import { minChunkBytes } from './limits.ts';

/** The split of a file into chunks ("Media Transfer Guide"). The last chunk also has the remaining bytes. */
export interface ChunkPlan {
  readonly chunkBytes: number;
  readonly count: number;
}

/** The bytes from `first` to `last`, inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Splits a file into as many chunks as possible, because the last chunk makes the video live and must be sent quickly.
 * All chunks have the same size, except the last: it is larger, by fewer bytes than there are chunks. 4 GB make 763
 * chunks; TikTok allows 1,000.
 */
export function chunkPlan(sizeBytes: number): ChunkPlan {
  const count = Math.max(1, Math.floor(sizeBytes / minChunkBytes));
  return { chunkBytes: Math.floor(sizeBytes / count), count };
}

/** Returns the next chunk to send, given the bytes that TikTok has stored; undefined if only the last chunk is left. */
export function nextChunk(storedBytes: number, sizeBytes: number): ByteRange | undefined {
  const { chunkBytes, count } = chunkPlan(sizeBytes);
  const index = Math.floor(storedBytes / chunkBytes);
  if (index >= count - 1) return undefined;
  return { first: index * chunkBytes, last: (index + 1) * chunkBytes - 1 };
}

/** Returns the chunk that makes the video live. */
export function lastChunk(sizeBytes: number): ByteRange {
  const { chunkBytes, count } = chunkPlan(sizeBytes);
  return { first: (count - 1) * chunkBytes, last: sizeBytes - 1 };
}
