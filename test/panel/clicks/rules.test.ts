import { describe, expect, it } from 'vitest';
import { clicksPerDay, daysIn, totalOf } from '../../../lib/panel/clicks/days.ts';
import { namedPlaces, ticksFor } from '../../../lib/panel/components/axis.ts';

describe('clicks per day', () => {
  it('have every day of the range, also those without clicks, and none outside of it', () => {
    const one = {
      days: [
        { day: '2026-02-27', clicks: 3 },
        { day: '2026-03-01', clicks: 2 },
      ],
    };
    const other = {
      days: [
        { day: '2026-02-20', clicks: 9 },
        { day: '2026-03-01', clicks: 5 },
      ],
    };
    const days = clicksPerDay([one, other], '2026-02-26', '2026-03-02');
    expect(days).toEqual([
      { day: '2026-02-26', clicks: 0 },
      { day: '2026-02-27', clicks: 3 },
      { day: '2026-02-28', clicks: 0 },
      { day: '2026-03-01', clicks: 7 },
      { day: '2026-03-02', clicks: 0 },
    ]);
    expect(totalOf(days)).toBe(10);
    expect(daysIn('2026-02-26', '2026-03-02')).toBe(5);
  });
});

describe('the axes of bars', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [7, [0, 2, 4, 6, 8]],
    [12, [0, 5, 10, 15]],
    [100, [0, 50, 100]],
    [1_234, [0, 500, 1_000, 1_500]],
  ])('up to %i', (greatest, ticks) => expect(ticksFor(greatest)).toEqual(ticks));

  it('never have more numbers than asked for, and reach the greatest value', () => {
    for (let greatest = 0; greatest < 3_000; greatest += 7) {
      const ticks = ticksFor(greatest);
      expect(ticks.length).toBeLessThanOrEqual(5);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(greatest);
      expect(ticks.every(Number.isInteger)).toBe(true);
    }
  });

  it('name some bars, and the last one', () => {
    expect(namedPlaces(30, 6)).toEqual([4, 9, 14, 19, 24, 29]);
    expect(namedPlaces(7, 7)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(namedPlaces(1, 6)).toEqual([0]);
    expect(namedPlaces(0, 6)).toEqual([]);
  });
});
