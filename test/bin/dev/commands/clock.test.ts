import { describe, expect, it } from 'vitest';
import { readAdvance } from '../../../../bin/dev/commands/clock.ts';
import { UsageError } from '../../../../bin/dev/commands/command.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');

describe('how far the clock is moved', () => {
  it.each([
    ['+90s', 90_000],
    ['15m', 900_000],
    ['+1h', 3_600_000],
    ['+1h30m', 5_400_000],
    ['+2d', 172_800_000],
    ['+0s', 0],
    ['2026-03-01T12:00:01Z', 1_000],
    ['2026-03-01T14:00+01:00', 3_600_000],
  ])('is read from %s', (text, milliseconds) => {
    expect(readAdvance(text, nowMs)).toBe(milliseconds);
  });

  it.each(['-1h', '2026-03-01T11:59:59Z'])('is never back: %s', (text) => {
    expect(() => readAdvance(text, nowMs)).toThrow('the clock only moves forward');
  });

  it.each(['+99999999d', '+3660d1s', '9999-12-31T00:00:00Z'])('is at most ten years: %s', (text) => {
    expect(() => readAdvance(text, nowMs)).toThrow('the clock moves at most 3660 days at a time');
  });

  it.each(['', '+', '1', '+1w', '+1.5h', 'tomorrow', '2026-03-01', '2026-13-01T00:00:00Z'])(
    'is not read from "%s"',
    (text) => {
      expect(() => readAdvance(text, nowMs)).toThrow(UsageError);
    },
  );
});
