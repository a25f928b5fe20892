import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../../lib/kernel/clock.ts';
import { retryGapsMs, retryWaitMs } from '../../../../lib/webhooks/deliveries/retry-schedule.ts';

const wait = (failures: number, chance = 0.5, retryAfterSeconds?: number) =>
  (retryWaitMs(failures, chance, retryAfterSeconds) ?? Number.NaN) / 1_000;

describe('the wait before the next attempt', () => {
  it.each([
    [1, 5],
    [2, 30],
    [3, 120],
    [4, 600],
    [5, 1_800],
    [6, 3_600],
    [7, 3 * 3_600],
    [8, 6 * 3_600],
    [9, 12 * 3_600],
    [10, 24 * 3_600],
  ])('after failure %i is about %i seconds', (failures, seconds) => {
    expect(wait(failures)).toBe(seconds);
    expect(wait(failures, 0)).toBeCloseTo(seconds * 0.9, 3);
    expect(wait(failures, 0.999_999)).toBeCloseTo(seconds * 1.1, 0);
  });

  it('does not exist after the last attempt', () => {
    expect(retryWaitMs(retryGapsMs.length + 1, 0.5, undefined)).toBeUndefined();
    expect(retryWaitMs(retryGapsMs.length + 1, 0.5, 60)).toBeUndefined();
  });

  it.each([
    ['longer than the gap', 1, 90, 90],
    ['shorter than the gap', 3, 10, 120],
    ['of nothing', 1, 0, 5],
    ['of years', 1, 1e9, dayMs / 1_000],
    ['of years after the last gap but one', 9, 1e9, dayMs / 1_000],
  ])('with a Retry-After %s is the longer of the two, at most a day', (_what, failures, asked, expected) => {
    expect(wait(failures, 0.5, asked)).toBe(expected);
  });

  it('is never shorter than the receiver asks, nor more than a tenth off its gap', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10 }),
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: undefined }),
        (failures, chance, asked) => {
          const waitMs = retryWaitMs(failures, chance, asked) ?? 0;
          const gapMs = retryGapsMs[failures - 1] ?? 0;
          expect(waitMs).toBeGreaterThanOrEqual(Math.min((asked ?? 0) * 1_000, dayMs));
          expect(waitMs).toBeGreaterThanOrEqual(Math.floor(gapMs * 0.9));
          expect(waitMs).toBeLessThanOrEqual(
            Math.max(gapMs * 1.1 + 1, Math.min((asked ?? 0) * 1_000, dayMs)),
          );
        },
      ),
    );
  });

  it('adds up to about two days', () => {
    const sumMs = retryGapsMs.reduce((sum, gapMs) => sum + gapMs, 0);
    expect(sumMs).toBeGreaterThan(40 * hourMs);
    expect(sumMs).toBeLessThan(2 * dayMs);
  });
});
