import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayIn, endOfDayMs } from '../../../lib/kernel/time-zone.ts';

describe('a local day', () => {
  it.each([
    ['in winter', 'America/Los_Angeles', '2026-11-20T20:00:00Z', '2026-11-20', '2026-11-21T08:00:00Z'],
    ['in summer', 'America/Los_Angeles', '2026-07-01T06:59:59.5Z', '2026-06-30', '2026-07-01T07:00:00Z'],
    [
      'at its first instant',
      'America/Los_Angeles',
      '2026-11-21T08:00:00Z',
      '2026-11-21',
      '2026-11-22T08:00:00Z',
    ],
    ['of 23 hours', 'America/Los_Angeles', '2027-03-14T09:00:00Z', '2027-03-14', '2027-03-15T07:00:00Z'],
    ['of 25 hours', 'America/Los_Angeles', '2026-11-01T07:30:00Z', '2026-11-01', '2026-11-02T08:00:00Z'],
    ['in UTC', 'UTC', '2026-11-20T23:59:59.999Z', '2026-11-20', '2026-11-21T00:00:00Z'],
    [
      'before one without a midnight',
      'Asia/Beirut',
      '2026-03-28T12:00:00Z',
      '2026-03-28',
      '2026-03-28T22:00:00Z',
    ],
  ])('%s ends when the next one begins', (_which, zone, instant, day, end) => {
    expect(dayIn(zone, Date.parse(instant))).toBe(day);
    expect(endOfDayMs(zone, Date.parse(instant))).toBe(Date.parse(end));
  });

  it('ends at the first instant with another date, in every time zone', () => {
    const zones = fc.constantFrom(
      'UTC',
      'America/Los_Angeles',
      'Asia/Beirut',
      'America/Havana',
      'Asia/Kathmandu',
    );
    const instants = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2030, 0) });
    fc.assert(
      fc.property(zones, instants, (zone, instant) => {
        const end = endOfDayMs(zone, instant);
        expect(end).toBeGreaterThan(instant);
        expect(dayIn(zone, end - 1)).toBe(dayIn(zone, instant));
        expect(dayIn(zone, end)).not.toBe(dayIn(zone, instant));
      }),
    );
  });
});
