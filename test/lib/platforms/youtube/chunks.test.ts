import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type ByteRange,
  chunkGrainBytes,
  lastChunk,
  nextChunk,
} from '../../../../lib/platforms/youtube/chunks.ts';

const sizes = fc.oneof(
  fc.integer({ min: 1, max: 64 * 1_048_576 }),
  fc.integer({ min: 1, max: 200 }).map((grains) => grains * chunkGrainBytes),
);

const nothing = { first: 0, last: -1 };

/** All chunks of a file, if YouTube stores at least the given number of grains of each chunk. */
function chunksOf(sizeBytes: number, kept: readonly number[] = []) {
  const chunks: ByteRange[] = [];
  let offset = 0;
  for (;;) {
    const chunk = nextChunk(offset, sizeBytes);
    if (chunk === undefined) return { chunks, last: lastChunk(offset, sizeBytes) ?? nothing };
    const grains = kept[chunks.length];
    const last =
      grains === undefined ? chunk.last : Math.min(chunk.last, offset + grains * chunkGrainBytes - 1);
    chunks.push({ first: offset, last });
    offset = last + 1;
  }
}

it('the chunks cover the file exactly once, in order', () => {
  fc.assert(
    fc.property(sizes, (sizeBytes) => {
      const { chunks, last } = chunksOf(sizeBytes);
      let offset = 0;
      for (const chunk of [...chunks, last]) {
        expect(chunk.first).toBe(offset);
        offset = chunk.last + 1;
      }
      expect(offset).toBe(sizeBytes);
    }),
  );
});

it('every chunk except the last is a multiple of 256 KiB, and the last is not larger than 256 KiB', () => {
  fc.assert(
    fc.property(sizes, fc.array(fc.integer({ min: 1, max: 32 })), (sizeBytes, kept) => {
      const { chunks, last } = chunksOf(sizeBytes, kept);
      for (const chunk of chunks) expect((chunk.last - chunk.first + 1) % chunkGrainBytes).toBe(0);
      const lastBytes = last.last - last.first + 1;
      expect(lastBytes).toBeGreaterThan(0);
      expect(lastBytes).toBeLessThanOrEqual(chunkGrainBytes);
      expect(last.last).toBe(sizeBytes - 1);
    }),
  );
});

it('there is no last chunk if YouTube has the whole file', () => {
  expect(lastChunk(125_306, 125_306)).toBeUndefined();
  expect(lastChunk(125_305, 125_306)).toEqual({ first: 125_305, last: 125_305 });
});
