import { leastChunkBytes } from './limits.ts';

/** How a file is cut ("Media Transfer Guide"): the last chunk takes what is left over. */
export interface ChunkPlan {
  readonly chunkBytes: number;
  readonly count: number;
}

/** The bytes from `first` to `last`, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * As many chunks as there may be, all of one size but for a rest of fewer bytes than there are chunks: the video goes
 * live with the last one, so that call has to be quick. 4 GB make 763 of the 1,000 chunks that TikTok takes.
 */
export function chunkPlan(sizeBytes: number): ChunkPlan {
  const count = Math.max(1, Math.floor(sizeBytes / leastChunkBytes));
  return { chunkBytes: Math.floor(sizeBytes / count), count };
}

/** The chunk to send where so many bytes are stored; undefined once only the last one is left. */
export function nextChunk(storedBytes: number, sizeBytes: number): ByteRange | undefined {
  const { chunkBytes, count } = chunkPlan(sizeBytes);
  const index = Math.floor(storedBytes / chunkBytes);
  if (index >= count - 1) return undefined;
  return { first: index * chunkBytes, last: (index + 1) * chunkBytes - 1 };
}

export function lastChunk(sizeBytes: number): ByteRange {
  const { chunkBytes, count } = chunkPlan(sizeBytes);
  return { first: (count - 1) * chunkBytes, last: sizeBytes - 1 };
}
