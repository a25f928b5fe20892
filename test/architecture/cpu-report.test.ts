import { describe, expect, it } from 'vitest';
import { type FileCost, judgeCosts } from '../support/cpu/cpu-report.ts';

const cost = (path: string, seconds: number, isBounded = true): FileCost => ({ path, seconds, isBounded });

describe('the cost of test files', () => {
  it('lists the ten most expensive files, the most expensive first', () => {
    const costs = Array.from({ length: 12 }, (_, index) => cost(`file-${index}`, index / 10));
    const { lines, isTooExpensive } = judgeCosts(costs, 1);
    expect(lines).toHaveLength(11);
    expect(lines[1]).toBe('    1.1  file-11');
    expect(isTooExpensive).toBe(false);
  });

  it('is reported above five calibrated seconds, and fails the run above twenty', () => {
    const { lines, isTooExpensive } = judgeCosts([cost('a', 5), cost('b', 5.1)], 1);
    expect(lines.filter((line) => line.includes('make it cheaper'))).toEqual([
      'b is above 5 calibrated CPU seconds (5.0 on this machine): make it cheaper before it grows.',
    ]);
    expect(isTooExpensive).toBe(false);
    expect(judgeCosts([cost('c', 20.1)], 1).isTooExpensive).toBe(true);
  });

  it('is relative to the speed of the machine', () => {
    expect(judgeCosts([cost('a', 39)], 2).isTooExpensive).toBe(false);
    expect(judgeCosts([cost('a', 41)], 2).isTooExpensive).toBe(true);
  });

  it('has no bound for journeys and pages, which run other programs', () => {
    expect(judgeCosts([cost('a', 100, false)], 1).isTooExpensive).toBe(false);
  });
});
