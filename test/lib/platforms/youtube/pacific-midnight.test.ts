import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secondsToPacificMidnight } from '../../../../lib/platforms/youtube/errors.ts';

describe('the time until midnight in Pacific time', () => {
  it.each([
    ['in winter', '2026-11-20T20:00:00Z', 12 * 3600],
    ['in summer', '2026-07-01T06:59:59.500Z', 1],
    ['at midnight itself, until the next one', '2026-11-21T08:00:00Z', 24 * 3600],
    ['before the clocks go forward', '2027-03-14T09:00:00Z', 22 * 3600],
    ['before the clocks go back', '2026-11-01T07:30:00Z', 24.5 * 3600],
  ])('%s', (_name, now, seconds) => {
    expect(secondsToPacificMidnight(Date.parse(now))).toBe(seconds);
  });

  it('always ends at 00:00 local time', () => {
    const wall = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/Los_Angeles', timeStyle: 'medium' });
    const instant = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2030, 0) });
    fc.assert(
      fc.property(instant, (now) => {
        const then = now + secondsToPacificMidnight(now) * 1_000;
        expect(wall.format(then)).toBe('00:00:00');
      }),
    );
  });
});
