import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkPlan, lastChunk, nextChunk } from '../../../../lib/platforms/tiktok/chunks.ts';

const [min, max] = [5 * 1_048_576, 64_000_000];
const sizes = fc.oneof(
  fc.integer({ min: 1, max: 4_000_000_000 }),
  fc.tuple(fc.integer({ min: 1, max: 760 }), fc.integer({ min: -2, max: 2 })).map(([n, by]) => n * min + by),
);

describe('the chunks of a video', () => {
  it.each([
    [1, 1, 1],
    [4_999_999, 4_999_999, 1],
    [5_242_880, 5_242_880, 1],
    [10_485_759, 10_485_759, 1],
    [10_485_760, 5_242_880, 2],
    [50_000_123, 5_555_569, 9],
    [4_000_000_000, 5_249_343, 762],
  ])('of %i bytes have %i bytes each and number %i', (size, chunkBytes, count) => {
    expect(chunkPlan(size)).toEqual({ chunkBytes, count });
  });

  it('match TikTok’s count, in both readings of a megabyte', () => {
    fc.assert(
      fc.property(sizes, (size) => {
        const { chunkBytes, count } = chunkPlan(size);
        const isWhole = chunkBytes === size && count === 1;
        if (size < 5_000_000) return isWhole;
        const isSized = isWhole ? size <= max : chunkBytes >= min && chunkBytes <= max;
        return isSized && count === Math.floor(size / chunkBytes) && count <= 1_000;
      }),
    );
  });

  it('cover the file once, in order, and leave the last one small', () => {
    fc.assert(
      fc.property(sizes, (size) => {
        let stored = 0;
        for (let chunk = nextChunk(stored, size); chunk; chunk = nextChunk(stored, size)) {
          expect(chunk.first).toBe(stored);
          stored = chunk.last + 1;
        }
        const last = lastChunk(size);
        expect([last.first, last.last]).toEqual([stored, size - 1]);
        expect(last.last - last.first + 1).toBeLessThan(2 * min);
      }),
      { numRuns: 50 },
    );
  });

  it('restart at a chunk border if TikTok has stored part of a chunk', () => {
    expect(nextChunk(min + 7, 3 * min)).toEqual({ first: min, last: 2 * min - 1 });
  });
});
