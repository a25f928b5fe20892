import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../lib/kernel/clock.ts';
import {
  bucketOf,
  emptyHistogram,
  type Histogram,
  mergeHistograms,
  percentileMs,
  valueMsOf,
} from '../../../lib/punctuality/histogram.ts';

const aLateness = fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 3_000 }), fc.nat({ max: 3 * dayMs }));

function histogramOf(values: readonly number[]): Histogram {
  return mergeHistograms(
    values.map((value) => ({
      ...emptyHistogram,
      count: 1,
      withinOneSecond: value <= 1_000 ? 1 : 0,
      buckets: new Map([[bucketOf(value), 1]]),
    })),
  );
}

/** Rounding to whole milliseconds adds up to half a millisecond. */
const tolerance = (exact: number): number => exact * 0.01 + 0.5 + 1e-6;

describe('a histogram of latenesses', () => {
  it('gives each value back within 1 %, and small values exactly', () => {
    fc.assert(
      fc.property(aLateness, (value) => {
        const found = valueMsOf(bucketOf(value));
        expect(Math.abs(found - value)).toBeLessThanOrEqual(tolerance(value));
        if (value <= 25) expect(found).toBe(value);
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps the order of values', () => {
    fc.assert(
      fc.property(aLateness, aLateness, (left, right) => {
        if (left <= right) expect(bucketOf(left)).toBeLessThanOrEqual(bucketOf(right));
      }),
    );
  });

  it('gives every percentile within 1 % of the exact one', () => {
    const shares = fc.constantFrom(0.01, 0.5, 0.9, 0.99, 1);
    fc.assert(
      fc.property(fc.array(aLateness, { minLength: 1, maxLength: 300 }), shares, (values, share) => {
        const exact =
          values.toSorted((left, right) => left - right)[Math.ceil(share * values.length) - 1] ?? -1;
        const found = percentileMs(histogramOf(values), share) ?? -1;
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(tolerance(exact));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is the same however its values are spread over items', () => {
    fc.assert(
      fc.property(fc.array(aLateness), fc.array(aLateness), (some, others) => {
        const merged = mergeHistograms([histogramOf(some), histogramOf(others)]);
        const together = histogramOf([...some, ...others]);
        for (const share of [0.5, 0.99, 1])
          expect(percentileMs(merged, share)).toBe(percentileMs(together, share));
        expect(merged.withinOneSecond).toBe(together.withinOneSecond);
      }),
    );
  });

  it('of nothing has no percentile', () => {
    expect(percentileMs(emptyHistogram, 0.5)).toBeNull();
  });
});
