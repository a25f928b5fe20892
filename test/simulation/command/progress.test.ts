import { describe, expect, it } from 'vitest';
import { minuteMs, secondMs } from '../../../lib/kernel/clock.ts';
import { durationText, MovingRate, progressText } from './progress.ts';
import { StatusLine } from './status-line.ts';

describe('the progress of a run', () => {
  const progress = { done: 1_250, total: 10_000, live: 3_120, calls: 184_000, failures: 1 };

  it('says how much is done, how fast it goes and how long it will take', () => {
    expect(progressText({ ...progress, perSecond: 12.5 })).toBe(
      '1,250 of 10,000 seeds (12 %), 13/s, 11 min 40 s left, 3,120 live posts, 184,000 external calls, 1 failure',
    );
  });

  it('gives no speed until it is known', () => {
    expect(progressText({ ...progress, perSecond: undefined })).toBe(
      '1,250 of 10,000 seeds (12 %), 3,120 live posts, 184,000 external calls, 1 failure',
    );
  });

  it('says that a run has stalled, instead of an endless time', () => {
    expect(progressText({ ...progress, perSecond: 0 })).toContain('0.0/s, stalled, ');
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

describe('the rate', () => {
  const rateOf = (samples: readonly (readonly [seconds: number, count: number])[]) => {
    const rate = new MovingRate();
    for (const [seconds, count] of samples) rate.add(seconds * secondMs, count);
    return rate.perSecond();
  };

  it('is unknown until a second is covered', () => {
    expect(rateOf([])).toBeUndefined();
    expect(
      rateOf([
        [0, 0],
        [0.5, 10],
      ]),
    ).toBeUndefined();
  });

  it('counts only what was done in this process', () => {
    expect(
      rateOf([
        [100, 5_000],
        [110, 5_020],
      ]),
    ).toBe(2);
  });

  it('forgets what was long ago', () => {
    expect(
      rateOf([
        [0, 0],
        [10, 1_000],
        [20, 1_010],
        [40, 1_030],
      ]),
    ).toBe(1);
  });
});

describe('the status line', () => {
  const record = (isTTY: boolean, columns?: number) => {
    const written: string[] = [];
    const output = { isTTY, write: (text: string) => written.push(text), ...(columns && { columns }) };
    return { line: new StatusLine(output, 0), written };
  };

  it('is rewritten on a terminal, and cut so that it does not wrap', () => {
    const { line, written } = record(true, 6);
    line.show('1 of 20 seeds', 0);
    line.show('2 of 20 seeds', 1);
    line.clear();
    line.clear();
    expect(written).toEqual(['\r1 of \x1b[K', '\r2 of \x1b[K', '\r\x1b[K']);
  });

  it('is added to a file every 30 seconds', () => {
    const { line, written } = record(false);
    for (let seconds = 0; seconds <= 65; seconds += 1) line.show(`${seconds} s`, seconds * secondMs);
    line.clear();
    expect(written).toEqual(['30 s\n', '60 s\n']);
  });
});
