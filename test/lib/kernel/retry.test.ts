import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoffMs } from '../../../lib/kernel/retry.ts';

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

it('doubles the wait with each failure, up to the cap', () => {
  const waits = [1, 2, 3, 4, 5].map((attempt) => backoffMs(attempt, { baseMs: 100, capMs: 1_000 }, 1));
  expect(waits).toEqual([100, 200, 400, 800, 1_000]);
});

it('never waits longer than the cap, however many attempts failed', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 100_000 }),
      fc.integer({ min: 1, max: 60_000 }),
      fc.nat(600_000),
      chance,
      (attempt, baseMs, capMs, luck) => {
        const wait = backoffMs(attempt, { baseMs, capMs }, luck);
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(wait).toBeLessThanOrEqual(capMs);
      },
    ),
  );
});
