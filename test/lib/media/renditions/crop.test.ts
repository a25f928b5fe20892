import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cropOf } from '../../../../lib/media/renditions/crop.ts';

const side = fc.integer({ min: 2, max: 4_000 });
const size = fc.record({ width: side, height: side });
const fraction = fc.double({ min: 0, max: 1, noNaN: true });

describe('the part of a picture that stays', () => {
  it.each([
    ['in the middle', undefined, { left: 0, top: 375, width: 1_000, height: 1_250 }],
    ['at the top', { x: 0.5, y: 0 }, { left: 0, top: 0, width: 1_000, height: 1_250 }],
    ['around a point', { x: 0.5, y: 0.4 }, { left: 0, top: 175, width: 1_000, height: 1_250 }],
    ['at the bottom', { x: 0.5, y: 1 }, { left: 0, top: 750, width: 1_000, height: 1_250 }],
  ])('is %s', (_where, point, part) => {
    expect(cropOf({ width: 1_000, height: 2_000 }, { width: 1_080, height: 1_350 }, point)).toEqual(part);
  });

  it('is within the picture, as wide or as high as it, and has the focal point if any part can', () => {
    fc.assert(
      fc.property(size, size, fraction, fraction, (picture, to, x, y) => {
        const { left, top, width, height } = cropOf(picture, to, { x, y });
        expect(left).toBeGreaterThanOrEqual(0);
        expect(top).toBeGreaterThanOrEqual(0);
        expect(left + width).toBeLessThanOrEqual(picture.width);
        expect(top + height).toBeLessThanOrEqual(picture.height);
        expect(width === picture.width || height === picture.height).toBe(true);
        expect(x * picture.width).toBeGreaterThanOrEqual(left - 1);
        expect(x * picture.width).toBeLessThanOrEqual(left + width + 1);
        expect(y * picture.height).toBeGreaterThanOrEqual(top - 1);
        expect(y * picture.height).toBeLessThanOrEqual(top + height + 1);
      }),
    );
  });
});
