import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTimezone } from '../../../../lib/kernel/time-zone.ts';
import { timeProblem, toEpochMs } from '../../../../lib/posts/request/scheduled-time.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const timezones = Intl.supportedValuesOf('timeZone');

function wallClock(epochMs: number, timezone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return `${format.format(epochMs)}${new Date(epochMs).toISOString().slice(-5, -1)}`;
}

describe('a time with an offset is exact, whatever the time zone is:', () => {
  it.each([
    ['2026-03-01T12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01t12:00:00z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01 12:00:00Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00Z', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00.5Z', '2026-03-01T12:00:00.500Z'],
    ['2026-03-01T12:00:00,25Z', '2026-03-01T12:00:00.250Z'],
    ['2026-03-01T12:00:00.123456789Z', '2026-03-01T12:00:00.123Z'],
    ['2026-03-01T12:00:00+00:00', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00-00:00', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00+03:00', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01T12:00:00+0300', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01T12:00:00+03', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01T12:00:00+05:30', '2026-03-01T06:30:00.000Z'],
    ['2026-03-01T12:00:00+0545', '2026-03-01T06:15:00.000Z'],
    ['2026-03-01T12:00:00-09:30', '2026-03-01T21:30:00.000Z'],
    ['2026-03-01T00:30:00+14:00', '2026-02-28T10:30:00.000Z'],
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000Z'],
    ['2026-12-31T23:59:59Z', '2026-12-31T23:59:59.000Z'],
    ['2026-06-30T23:59:60Z', '2026-06-30T23:59:59.000Z'],
  ])('%s is %s', async (text, instant) => {
    expect(await toEpochMs(text, 'America/New_York')).toBe(Date.parse(instant));
  });
});

describe('a time without an offset is local time in the time zone:', () => {
  it.each([
    ['2026-03-01T12:00', 'UTC', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00', 'Europe/Istanbul', '2026-03-01T09:00:00.000Z'],
    ['2026-08-01T12:00:00', 'Europe/Istanbul', '2026-08-01T09:00:00.000Z'],
    ['2026-03-01 12:00', 'Asia/Kolkata', '2026-03-01T06:30:00.000Z'],
    ['2026-03-01T00:15', 'Asia/Kolkata', '2026-02-28T18:45:00.000Z'],
    ['2026-03-01T12:00', 'Asia/Kathmandu', '2026-03-01T06:15:00.000Z'],
    ['2026-01-15T12:00', 'America/New_York', '2026-01-15T17:00:00.000Z'],
    ['2026-07-15T12:00', 'America/New_York', '2026-07-15T16:00:00.000Z'],
    ['2026-03-01T12:00', 'Pacific/Kiritimati', '2026-02-28T22:00:00.000Z'],
    // New York's clocks went from 02:00 to 03:00 on 8 March 2026. The hour in between does not exist.
    ['2026-03-08T01:59:59', 'America/New_York', '2026-03-08T06:59:59.000Z'],
    ['2026-03-08T02:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    ['2026-03-08T02:30', 'America/New_York', '2026-03-08T07:30:00.000Z'],
    ['2026-03-08T03:00', 'America/New_York', '2026-03-08T07:00:00.000Z'],
    // They go back from 02:00 to 01:00 on 1 November 2026. The hour before comes twice; the first is meant.
    ['2026-11-01T01:30', 'America/New_York', '2026-11-01T05:30:00.000Z'],
    ['2026-11-01T02:00', 'America/New_York', '2026-11-01T07:00:00.000Z'],
    // Istanbul's last change forward (27 March 2016, 03:00 to 04:00) and its last change back (8 November 2015).
    ['2016-03-27T03:30', 'Europe/Istanbul', '2016-03-27T01:30:00.000Z'],
    ['2015-11-08T03:30', 'Europe/Istanbul', '2015-11-08T00:30:00.000Z'],
    ['2026-03-01T12:00', '+05:30', '2026-03-01T06:30:00.000Z'],
    ['2026-03-01T12:00', 'europe/istanbul', '2026-03-01T09:00:00.000Z'],
  ])('%s in %s is %s', async (text, timezone, instant) => {
    expect(await toEpochMs(text, timezone)).toBe(Date.parse(instant));
  });
});

it('reads the local time of any instant as the first instant with that local time', async () => {
  const instants = fc.date({
    min: new Date('1900-01-01'),
    max: new Date('2100-01-01'),
    noInvalidDate: true,
  });
  await fc.assert(
    fc.asyncProperty(instants, fc.constantFrom(...timezones), async (date, timezone) => {
      const wall = wallClock(date.getTime(), timezone);
      const read = (await toEpochMs(wall, timezone)) ?? Number.NaN;
      expect(wallClock(read, timezone)).toBe(wall);
      expect(read).toBeLessThanOrEqual(date.getTime());
    }),
  );
});

it('reads local times in every time zone that is accepted', async () => {
  const named = [...timezones, 'UTC', 'US/Pacific', 'EST5EDT', 'Etc/GMT+3', '-03', '+0530'];
  for (const timezone of named) {
    expect(isTimezone(timezone)).toBe(true);
    expect(await toEpochMs('2026-03-01T12:00', timezone), timezone).toBeTypeOf('number');
  }
});

describe('is not a date and time:', () => {
  it.each([
    '',
    ' ',
    'now',
    'auto',
    'tomorrow',
    '2026-03-01',
    '2026-03',
    '12:00',
    'T12:00Z',
    '2026-03-01T12Z',
    '2026-03-01T12:00:00Z ',
    ' 2026-03-01T12:00:00Z',
    '2026-03-01T12:00:00Z\n',
    '2026-03-01T12:00:00ZZ',
    '2026-03-01  12:00:00Z',
    '2026-02-29T12:00:00Z',
    '2026-02-30T12:00:00Z',
    '2026-04-31T12:00:00',
    '2026-13-01T12:00:00Z',
    '2026-00-01T12:00:00Z',
    '2026-03-00T12:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T25:00:00Z',
    '2026-03-01T12:60:00Z',
    '2026-03-01T12:00:61Z',
    '2026-03-01T12:00:00+24:00',
    '2026-03-01T12:00:00+99:99',
    '2026-03-01T12:00:00+3:00',
    '2026-03-01T12:00:00[Europe/Istanbul]',
    '2026-03-01T12:00:00Z[UTC]',
    '2026-03-01T12:00:00.Z',
    '2026-03-01T12:00:00.1234567890Z',
    '+002026-03-01T12:00:00Z',
    '-002026-03-01T12:00:00Z',
    '20260301T120000Z',
    '2026-W09-7T12:00:00Z',
    '2026-060T12:00:00Z',
    '1772366400',
    '1772366400000',
    '٢٠٢٦-03-01T12:00:00Z',
    'Sun, 01 Mar 2026 12:00:00 GMT',
    '2026-03-01T12:00:00 Z',
    '0000-00-00T00:00:00Z',
    '2026-03-01T12:00:00Z\u0000',
  ])('%j', async (text) => {
    expect(await toEpochMs(text, 'UTC')).toBeUndefined();
  });

  it('never throws, whatever the text and the time zone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 64 }), fc.string(), async (text, timezone) => {
        const epochMs = await toEpochMs(text, timezone);
        expect(epochMs === undefined || Number.isInteger(epochMs)).toBe(true);
      }),
    );
  });
});

it('reads every ISO 8601 instant, to the millisecond', async () => {
  const instants = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  await fc.assert(
    fc.asyncProperty(instants, fc.integer({ min: -14 * 60, max: 14 * 60 }), async (date, offsetMinutes) => {
      expect(await toEpochMs(date.toISOString(), 'Asia/Tokyo')).toBe(date.getTime());
      const local = new Date(date.getTime() + offsetMinutes * 60_000).toISOString();
      fc.pre(/^\d{4}-/.test(local));
      const pad = (part: number) => String(Math.trunc(Math.abs(part))).padStart(2, '0');
      const offset = `${offsetMinutes < 0 ? '-' : '+'}${pad(offsetMinutes / 60)}:${pad(offsetMinutes % 60)}`;
      expect(await toEpochMs(local.replace('Z', offset), 'UTC')).toBe(date.getTime());
    }),
  );
});

describe('the limits of a scheduled time:', () => {
  it.each([
    ['now', 0, undefined],
    ['ten minutes back', -600_000, undefined],
    ['just over ten minutes back', -600_001, 'is in the past'],
    ['a year ahead', 366 * 86_400_000, undefined],
    ['just over a year ahead', 366 * 86_400_000 + 1, 'is more than a year ahead'],
  ])('%s: %s', (_when, difference, problem) => {
    expect(timeProblem(now + difference, now)?.message).toBe(problem);
  });
});

it.each([
  ['UTC', true],
  ['Europe/Istanbul', true],
  ['America/Argentina/Buenos_Aires', true],
  ['EST', true],
  ['', false],
  ['Mars/Olympus_Mons', false],
  ['Europe/Istanbul ', false],
  ['Europe/Istanbul\u0000', false],
  ['../../etc/localtime', false],
  ['GMT+3:xx', false],
  ['IST', false],
  ['jst', false],
])('%j is a time zone: %s', (name, is) => {
  expect(isTimezone(name)).toBe(is);
});
