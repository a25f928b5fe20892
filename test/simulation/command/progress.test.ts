import { describe, expect, it } from 'vitest';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { durationText, progressPrinter } from './progress.ts';
import { progressText } from './run-seeds.ts';

describe('the progress of a run', () => {
  const sums = { done: 1_250, live: 3_120, calls: 184_000, failing: [7] };

  it('says how much is done, and how long the rest will take', () => {
    expect(progressText(sums, 10_000, 100 * secondMs)).toBe(
      '1,250 of 10,000 seeds (12 %), 11 min 40 s left, 3,120 live posts, 184,000 external calls, 1 failure',
    );
  });

  it('is printed every 10 seconds', () => {
    const printed: string[] = [];
    let seconds = 0;
    const show = progressPrinter(
      (line) => printed.push(line),
      () => seconds * secondMs,
    );
    for (; seconds <= 25; seconds += 1) show(() => `${seconds} s`);
    expect(printed).toEqual(['10 s', '20 s']);
  });
});

it.each([
  [0, '0 s'],
  [44_200, '45 s'],
  [60_000, '1 min 0 s'],
  [59 * minuteMs + 59_500, '1 h 0 min'],
  [125 * minuteMs, '2 h 5 min'],
])('a duration of %i ms reads as %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});
