import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkGrainBytes, decideChunk, parseContentRange, wholeGrains } from '../../youtube/content-range.ts';

describe('the Content-Range header', () => {
  it.each([
    ['bytes 0-9/10', { kind: 'chunk', firstByte: 0, lastByte: 9, totalBytes: 10 }],
    ['bytes 0-9/*', { kind: 'chunk', firstByte: 0, lastByte: 9, totalBytes: undefined }],
    ['bytes */10', { kind: 'status-query', totalBytes: 10 }],
    ['bytes */*', { kind: 'status-query', totalBytes: undefined }],
    ['bytes 0-10/10', undefined],
    ['bytes 5-4/10', undefined],
    ['bytes=0-9/10', undefined],
    ['bytes 0-9', undefined],
    ['', undefined],
  ])('is parsed: %j', (header, range) => {
    expect(parseContentRange(header)).toEqual(range);
  });
});

describe('a client that follows the offsets', () => {
  it('always finishes, whatever chunk sizes it chooses and however much of each chunk is kept', () => {
    const attempt = fc.record({
      grains: fc.integer({ min: 1, max: 4 }),
      keptShare: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const sizes = fc.integer({ min: 1, max: 12 * chunkGrainBytes });
    fc.assert(
      fc.property(sizes, fc.array(attempt, { maxLength: 30 }), (declaredBytes, attempts) => {
        let storedBytes = 0;
        const send = (chunkBytes: number, keptShare: number) => {
          const end = Math.min(storedBytes + chunkBytes, declaredBytes);
          const decision = decideChunk({
            contentRange: `bytes ${storedBytes}-${end - 1}/${declaredBytes}`,
            contentLength: end - storedBytes,
            declaredBytes,
            storedBytes,
          });
          expect(decision).toEqual({ action: 'store', chunkBytes: end - storedBytes });
          const arrived = Math.floor((end - storedBytes) * keptShare);
          const reached = storedBytes + arrived;
          storedBytes = reached === declaredBytes ? declaredBytes : wholeGrains(reached);
        };
        for (const { grains, keptShare } of attempts) {
          if (storedBytes < declaredBytes) send(grains * chunkGrainBytes, keptShare);
        }
        if (storedBytes < declaredBytes) send(declaredBytes, 1);
        expect(storedBytes).toBe(declaredBytes);
      }),
    );
  });
});
