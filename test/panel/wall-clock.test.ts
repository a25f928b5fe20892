import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDaysTo, instantOf, wallClockOf } from '../../lib/panel/wall-clock.ts';

const berlin = 'Europe/Berlin';
const zones = [
  berlin,
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'UTC',
];

describe('a wall-clock time', () => {
  it.each([
    ['an ordinary one', { date: '2026-03-14', time: '09:30' }, '2026-03-14T08:30:00.000Z', 'exact'],
    ['in summer', { date: '2026-07-14', time: '09:30' }, '2026-07-14T07:30:00.000Z', 'exact'],
    [
      'one that the clocks skip',
      { date: '2026-03-29', time: '02:30' },
      '2026-03-29T01:30:00.000Z',
      'skipped',
    ],
    ['the first of two', { date: '2026-10-25', time: '02:30' }, '2026-10-25T00:30:00.000Z', 'repeated'],
    [
      'the second of two',
      { date: '2026-10-25', time: '02:30', isSecond: true },
      '2026-10-25T01:30:00.000Z',
      'repeated',
    ],
  ])('is an instant: %s', (_what, wall, at, kind) => {
    const reading = instantOf(wall, berlin);
    expect(reading?.at.toISOString()).toBe(at);
    expect(reading?.kind).toBe(kind);
  });

  it('that is skipped says what the clocks show instead', () => {
    expect(instantOf({ date: '2026-03-29', time: '02:30' }, berlin)).toMatchObject({
      shown: { date: '2026-03-29', time: '03:30' },
    });
  });

  it.each([
    ['', '09:30'],
    ['2026-02-30', '09:30'],
    ['2026-03-14', ''],
    ['2026-03-14', '25:00'],
    ['12026-03-14', '09:30'],
  ])('is none while it is incomplete or does not exist: %j %j', (date, time) => {
    expect(instantOf({ date, time }, berlin)).toBeUndefined();
  });

  it('comes back from its instant, in every zone and at every change of clocks', () => {
    const minutes = fc.integer({ min: Date.UTC(2020, 0) / 60_000, max: Date.UTC(2035, 0) / 60_000 });
    fc.assert(
      fc.property(minutes, fc.constantFrom(...zones), (minute, zone) => {
        const at = new Date(minute * 60_000);
        expect(instantOf(wallClockOf(at, zone), zone)?.at).toEqual(at);
      }),
    );
  });

  it('keeps its time of day on another day', () => {
    expect(addDaysTo({ date: '2026-10-24', time: '09:30' }, 1)).toEqual({
      date: '2026-10-25',
      time: '09:30',
    });
    expect(addDaysTo({ date: '2028-02-28', time: '23:59' }, 2)).toEqual({
      date: '2028-03-01',
      time: '23:59',
    });
  });
});
