import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { Rhythm } from '../../../lib/rhythm/schemas.ts';
import {
  type AccountSlots,
  findSlot,
  findSlots,
  offsetSpans,
  type PlannedTime,
} from '../../../lib/rhythm/slots.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';

const horizonMs = 90 * dayMs;

/** An account with this rhythm and these planned posts. `own`: chosen by the same rhythm. */
async function accountAt(
  fromMs: number,
  rhythm: Partial<Rhythm> = {},
  { own = [], others = [] }: { own?: readonly string[]; others?: readonly string[] } = {},
): Promise<AccountSlots> {
  const full = Rhythm.parse(rhythm);
  const entries = [
    ...own.map((time) => ({ atMs: Date.parse(time), isOwn: true })),
    ...others.map((time) => ({ atMs: Date.parse(time), isOwn: false })),
  ];
  return { rhythm: full, offsets: await spansFor(full.timezone, fromMs), entries };
}

const spansFor = (timezone: string, fromMs: number) =>
  offsetSpans(timezone, fromMs - 10 * dayMs, fromMs + horizonMs + 10 * dayMs);

async function slotFrom(
  from: string,
  ...accounts: readonly ((fromMs: number) => Promise<AccountSlots>)[]
): Promise<string | undefined> {
  const earliestMs = Date.parse(from);
  const slot = findSlot(await Promise.all(accounts.map((open) => open(earliestMs))), {
    earliestMs,
    latestMs: earliestMs + horizonMs,
  });
  return slot === undefined ? undefined : toTimestamp(slot).replace(':00.000Z', 'Z');
}

describe('with the default rhythm, a slot is', () => {
  it.each<[string, string, { own?: string[]; others?: string[] }, string]>([
    ['the next whole minute', '2026-03-02T10:00:01Z', {}, '2026-03-02T10:01Z'],
    ['this minute if it has just begun', '2026-03-02T10:00:00Z', {}, '2026-03-02T10:00Z'],
    ['when the window opens', '2026-03-02T03:00Z', {}, '2026-03-02T09:00Z'],
    ['before the window closes', '2026-03-02T20:59Z', {}, '2026-03-02T20:59Z'],
    ['tomorrow once it has closed', '2026-03-02T21:00Z', {}, '2026-03-03T09:00Z'],
    ['a gap after an own post', '2026-03-02T10:00Z', { own: ['2026-03-02T09:30Z'] }, '2026-03-02T11:30Z'],
    ['a gap before an own post', '2026-03-02T10:00Z', { own: ['2026-03-02T12:00Z'] }, '2026-03-02T10:00Z'],
    [
      'not less than a gap before an own post',
      '2026-03-02T10:01Z',
      { own: ['2026-03-02T12:00Z'] },
      '2026-03-02T14:00Z',
    ],
    [
      'a buffer after another post',
      '2026-03-02T10:00Z',
      { others: ['2026-03-02T09:50Z'] },
      '2026-03-02T10:05Z',
    ],
    [
      'a buffer after another post that is not on the full minute',
      '2026-03-02T10:00Z',
      { others: ['2026-03-02T09:50:00.001Z'] },
      '2026-03-02T10:06Z',
    ],
    [
      'a buffer before another post',
      '2026-03-02T10:00Z',
      { others: ['2026-03-02T10:15Z'] },
      '2026-03-02T10:00Z',
    ],
    [
      'not between two posts that leave too little room',
      '2026-03-02T10:00Z',
      { others: ['2026-03-02T10:00Z', '2026-03-02T10:29Z'] },
      '2026-03-02T10:44Z',
    ],
    [
      'tomorrow if the day has reached its cap of three',
      '2026-03-02T09:00Z',
      { own: ['2026-03-02T12:00Z', '2026-03-02T15:00Z', '2026-03-02T18:00Z'] },
      '2026-03-03T09:00Z',
    ],
    [
      'today if posts of others fill the day',
      '2026-03-02T09:00Z',
      { others: ['2026-03-02T12:00Z', '2026-03-02T15:00Z', '2026-03-02T18:00Z'] },
      '2026-03-02T09:00Z',
    ],
  ])('%s', async (_what, from, planned, slot) => {
    expect(await slotFrom(from, (fromMs) => accountAt(fromMs, {}, planned))).toBe(slot);
  });
});

describe('a window', () => {
  const night = { dayWindow: { from: '22:00', to: '02:00' }, gapMinutes: 1, collisionBufferMinutes: 0 };
  it.each<[string, string, Partial<Rhythm>, string]>([
    ['may cross midnight', '2026-03-02T23:30Z', night, '2026-03-02T23:30Z'],
    ['continues after midnight', '2026-03-03T01:59Z', night, '2026-03-03T01:59Z'],
    ['ends after midnight', '2026-03-03T02:00Z', night, '2026-03-03T22:00Z'],
    [
      'is the whole day if it ends when it begins',
      '2026-03-03T03:33Z',
      { dayWindow: { from: '09:00', to: '09:00' } },
      '2026-03-03T03:33Z',
    ],
    [
      'may end at midnight',
      '2026-03-03T23:59Z',
      { dayWindow: { from: '09:00', to: '00:00' } },
      '2026-03-03T23:59Z',
    ],
    [
      'is in the local time of the zone',
      '2026-03-02T03:00Z',
      { timezone: 'America/New_York' },
      '2026-03-02T14:00Z',
    ],
    [
      'shifts with daylight saving time',
      '2026-03-09T03:00Z',
      { timezone: 'America/New_York' },
      '2026-03-09T13:00Z',
    ],
    // The clocks go from 02:00 to 03:00 on 29 March.
    [
      'that the clocks skip has no slot that day',
      '2026-03-29T00:00Z',
      { timezone: 'Europe/Berlin', dayWindow: { from: '02:10', to: '02:50' } },
      '2026-03-30T00:10Z',
    ],
    [
      'that the clocks skip in part opens after the change',
      '2026-03-29T00:00Z',
      { timezone: 'Europe/Berlin', dayWindow: { from: '02:10', to: '03:10' } },
      '2026-03-29T01:00Z',
    ],
    // The clocks go from 03:00 to 02:00 on 25 October.
    [
      'that the clocks repeat opens the first time',
      '2026-10-25T00:00Z',
      { timezone: 'Europe/Berlin', dayWindow: { from: '02:10', to: '02:50' } },
      '2026-10-25T00:10Z',
    ],
    [
      'that the clocks repeat opens the second time',
      '2026-10-25T00:50Z',
      { timezone: 'Europe/Berlin', dayWindow: { from: '02:10', to: '02:50' } },
      '2026-10-25T01:10Z',
    ],
    // Half an hour: the clocks go from 02:00 to 01:30 on 5 April.
    [
      'is correct if the clocks change by half an hour',
      '2026-04-04T15:00Z',
      { timezone: 'Australia/Lord_Howe', dayWindow: { from: '01:45', to: '02:15' } },
      '2026-04-04T15:15Z',
    ],
  ])('%s', async (_what, from, rhythm, slot) => {
    expect(await slotFrom(from, (fromMs) => accountAt(fromMs, rhythm))).toBe(slot);
  });
});

describe('the cap', () => {
  const night: Partial<Rhythm> = {
    dayWindow: { from: '22:00', to: '02:00' },
    gapMinutes: 30,
    dailyCap: 1,
  };
  const wholeDay: Partial<Rhythm> = { ...night, dayWindow: { from: '09:00', to: '09:00' } };

  it.each<[string, string, Partial<Rhythm>, string, string]>([
    [
      'counts a window across midnight once',
      '2026-03-02T22:30Z',
      night,
      '2026-03-02T22:00Z',
      '2026-03-03T22:00Z',
    ],
    [
      'leaves the evening free after a morning that belongs to the window of the day before',
      '2026-03-03T00:40Z',
      night,
      '2026-03-03T00:10Z',
      '2026-03-03T22:00Z',
    ],
    [
      'opens with the window in the rhythm’s time zone',
      '2026-03-03T03:30Z',
      { ...night, timezone: 'America/New_York' },
      // 22:00 in New York is the next day in UTC.
      '2026-03-03T03:00Z',
      '2026-03-04T03:00Z',
    ],
    [
      'counts by date if the window is the whole day',
      '2026-03-02T22:30Z',
      wholeDay,
      '2026-03-02T22:00Z',
      '2026-03-03T00:00Z',
    ],
    [
      'counts by date if the window ends at midnight',
      '2026-03-02T22:30Z',
      { ...night, dayWindow: { from: '18:00', to: '00:00' } },
      '2026-03-02T22:00Z',
      '2026-03-03T18:00Z',
    ],
  ])('%s', async (_what, from, rhythm, own, slot) => {
    expect(await slotFrom(from, (fromMs) => accountAt(fromMs, rhythm, { own: [own] }))).toBe(slot);
  });

  it('leaves an evening to every night of a window across midnight', async () => {
    const from = Date.parse('2026-03-02T20:00Z');
    const account = await accountAt(from, {
      dayWindow: { from: '22:00', to: '04:00' },
      gapMinutes: 60,
      dailyCap: 3,
    });
    const slots = findSlots([account], { earliestMs: from, latestMs: from + horizonMs, count: 6 });
    expect(slots.map((atMs) => toTimestamp(atMs).slice(5, 16))).toEqual([
      '03-02T22:00',
      '03-02T23:00',
      '03-03T00:00',
      '03-03T22:00',
      '03-03T23:00',
      '03-04T00:00',
    ]);
  });

  it('counts a day of 25 hours as one', async () => {
    const rhythm: Partial<Rhythm> = {
      timezone: 'Europe/Berlin',
      dailyCap: 1,
      gapMinutes: 1,
      dayWindow: { from: '00:00', to: '00:00' },
    };
    const own = ['2026-10-24T22:00Z'];
    expect(await slotFrom('2026-10-24T23:00Z', (fromMs) => accountAt(fromMs, rhythm, { own }))).toBe(
      '2026-10-25T23:00Z',
    );
  });
});

describe('a slot for several accounts', () => {
  it('is the earliest that fits them all', async () => {
    const slot = await slotFrom(
      '2026-03-02T09:00Z',
      (fromMs) => accountAt(fromMs, {}, { own: ['2026-03-02T10:00Z'] }),
      (fromMs) =>
        accountAt(fromMs, { dayWindow: { from: '11:00', to: '12:30' } }, { others: ['2026-03-02T12:10Z'] }),
      (fromMs) => accountAt(fromMs, { timezone: 'Asia/Kolkata' }),
    );
    expect(slot).toBe('2026-03-02T12:25Z');
  });

  it('does not exist if their windows never overlap', async () => {
    const slot = await slotFrom(
      '2026-03-02T09:00Z',
      (fromMs) => accountAt(fromMs, { dayWindow: { from: '09:00', to: '12:00' } }),
      (fromMs) => accountAt(fromMs, { dayWindow: { from: '12:00', to: '15:00' } }),
    );
    expect(slot).toBeUndefined();
  });

  it('is searched quickly on fifty accounts that are full for three months', async () => {
    const startMs = Date.parse('2026-03-02T09:00Z');
    const full = Array.from({ length: 91 * 72 }, (_, index) => startMs + index * 20 * minuteMs);
    const offsets = await spansFor('Europe/Berlin', startMs);
    const accounts = Array.from({ length: 50 }, (_, index) => ({
      rhythm: Rhythm.parse({ timezone: 'Europe/Berlin' }),
      offsets,
      entries: full.map((atMs) => ({ atMs: atMs + (index % 5) * minuteMs, isOwn: false })),
    }));
    const span = { earliestMs: startMs, latestMs: startMs + horizonMs };
    const tookMs = cpuMsOf(() => expect(findSlot(accounts, span)).toBeUndefined());
    expect(tookMs).toBeLessThan(5_000);
  });
});

describe('for any plan in any time zone,', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'America/Havana',
    'America/St_Johns',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'Pacific/Chatham',
  ];
  // Close to clock changes in all of these zones.
  const starts = [
    '2026-03-07T18:00Z',
    '2026-03-28T12:30Z',
    '2026-04-04T02:00Z',
    '2026-10-03T05:00Z',
    '2026-10-24T15:00Z',
    '2026-10-31T16:10Z',
  ];
  const timeOfDay = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '15', '37'))
    .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
  const rhythms = fc.record({
    timezone: fc.constantFrom(...zones),
    dayWindow: fc.record({ from: timeOfDay, to: timeOfDay }),
    gapMinutes: fc.constantFrom(1, 45, 120, 700, 1_441),
    dailyCap: fc.integer({ min: 1, max: 3 }),
    collisionBufferMinutes: fc.constantFrom(0, 15, 200),
  });
  const searchDays = 3;
  const planned = fc.record({
    minutes: fc.integer({ min: -3 * 1_440, max: (searchDays + 1) * 1_440 }),
    seconds: fc.constantFrom(0, 0, 31),
    isOwn: fc.boolean(),
  });
  const calendars = fc.tuple(rhythms, fc.array(planned, { maxLength: 14 }));

  it('the slot is the same as when every minute is tried', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...starts),
        fc.array(calendars, { minLength: 1, maxLength: 3 }),
        async (start, described) => {
          const earliestMs = Date.parse(start);
          const latestMs = earliestMs + searchDays * dayMs;
          const accounts = await Promise.all(
            described.map(async ([rhythm, times]) => ({
              rhythm,
              offsets: await spansFor(rhythm.timezone, earliestMs),
              entries: times.map(({ minutes, seconds, isOwn }) => ({
                atMs: earliestMs + minutes * minuteMs + seconds * 1_000,
                isOwn,
              })),
            })),
          );
          expect(findSlot(accounts, { earliestMs, latestMs })).toBe(
            firstMinuteThatFits(accounts, earliestMs, latestMs),
          );
        },
      ),
      { numRuns: 120 },
    );
  });
});

describe.each([
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Chatham',
])('in %s, a window across midnight', (timezone) => {
  it('gets the cap in each of its nights, whenever the clocks change', async () => {
    const starts = fc.integer({ min: 0, max: 364 }).map((day) => yearStartMs + day * dayMs);
    const hours = fc.integer({ min: 13, max: 22 }).map((hour) => `${hour}:00`);
    await fc.assert(
      fc.asyncProperty(starts, hours, fc.integer({ min: 1, max: 4 }), async (fromMs, from, dailyCap) => {
        // Six to fifteen hours long, so that four posts fit although the clocks skip an hour.
        const rhythm = { timezone, dayWindow: { from, to: '04:00' }, gapMinutes: 60, dailyCap };
        const account = await accountAt(fromMs, rhythm);
        const slots = findSlots([account], { earliestMs: fromMs, latestMs: fromMs + horizonMs, count: 40 });
        const clock = wallClock(timezone);
        const nights = Map.groupBy(slots, (atMs) => {
          const { date, time } = clock(atMs);
          return time < from ? toTimestamp(Date.parse(`${date}T00:00Z`) - dayMs).slice(0, 10) : date;
        });
        // The search may begin and end within a night.
        const full = [...nights.values()].slice(1, -1);
        expect(full.map(({ length }) => length)).toEqual(full.map(() => dailyCap));
        expect(full.every(([first = 0]) => clock(first).time === from)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});

/** A direct implementation of the rules that tries every minute, with the runtime's own time zone data. */
function firstMinuteThatFits(
  accounts: readonly Pick<AccountSlots, 'rhythm' | 'entries'>[],
  earliestMs: number,
  latestMs: number,
): number | undefined {
  const rules = accounts.map(({ rhythm, entries }) => {
    const clock = wallClock(rhythm.timezone);
    const { from, to } = rhythm.dayWindow;
    /** The date on which the window opened last, if it crosses midnight; else the date. */
    const nightOf = ({ date, time }: { date: string; time: string }) =>
      to < from && time < from ? toTimestamp(Date.parse(`${date}T00:00Z`) - dayMs).slice(0, 10) : date;
    const days = new Map<string, number>();
    for (const { atMs } of entries.filter(({ isOwn }) => isOwn)) {
      const day = nightOf(clock(atMs));
      days.set(day, (days.get(day) ?? 0) + 1);
    }
    return (atMs: number) => {
      const reading = clock(atMs);
      const { time } = reading;
      const isInside = from < to ? from <= time && time < to : from <= time || time < to;
      if (!isInside || (days.get(nightOf(reading)) ?? 0) >= rhythm.dailyCap) return false;
      return entries.every((entry: PlannedTime) => {
        const apart = Math.abs(entry.atMs - atMs) / minuteMs;
        const buffer = Math.max(1, rhythm.collisionBufferMinutes);
        return apart >= (entry.isOwn ? Math.max(buffer, rhythm.gapMinutes) : buffer);
      });
    };
  });
  for (let atMs = earliestMs; atMs <= latestMs; atMs += minuteMs) {
    if (rules.every((allows) => allows(atMs))) return atMs;
  }
  return undefined;
}

const clocks = new Map<string, Map<number, { date: string; time: string }>>();

function wallClock(timezone: string) {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const known = clocks.get(timezone) ?? new Map<number, { date: string; time: string }>();
  clocks.set(timezone, known);
  return (atMs: number) => {
    const [date = '', time = ''] = known.has(atMs) ? [] : format.format(atMs).split(', ');
    const reading = known.get(atMs) ?? { date, time };
    known.set(atMs, reading);
    return reading;
  };
}

const yearStartMs = Date.parse('2026-01-01T00:00:00Z');
async function changesOf(timezone: string): Promise<string[]> {
  const spans = await offsetSpans(timezone, yearStartMs, yearStartMs + 365 * dayMs);
  return spans.map(({ fromMs, offsetMs }) => `${toTimestamp(fromMs).slice(0, 16)} ${offsetMs / hourMs}`);
}

describe('the offsets of a time zone change in the minute of the clock change:', () => {
  it.each([
    ['UTC', ['2026-01-01T00:00 0']],
    ['+05:30', ['2026-01-01T00:00 5.5']],
    ['Europe/Berlin', ['2026-01-01T00:00 1', '2026-03-29T01:00 2', '2026-10-25T01:00 1']],
    ['America/New_York', ['2026-01-01T00:00 -5', '2026-03-08T07:00 -4', '2026-11-01T06:00 -5']],
    ['Australia/Lord_Howe', ['2026-01-01T00:00 11', '2026-04-04T15:00 10.5', '2026-10-03T15:30 11']],
  ])('%s', async (timezone, changes) => {
    expect(await changesOf(timezone)).toEqual(changes);
  });
});

it('every instant of the search is in exactly one span, with the offset that the clocks show', async () => {
  const zones = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata');
  const instants = fc
    .integer({ min: 0, max: (365 * dayMs) / minuteMs })
    .map((n) => yearStartMs + n * minuteMs);
  await fc.assert(
    fc.asyncProperty(
      zones,
      instants,
      fc.array(instants, { minLength: 1 }),
      async (timezone, fromMs, times) => {
        const spans = await offsetSpans(timezone, fromMs, yearStartMs + 400 * dayMs);
        const format = new Intl.DateTimeFormat('en-CA', {
          timeZone: timezone,
          dateStyle: 'short',
          timeStyle: 'short',
          hourCycle: 'h23',
        });
        for (const atMs of times.filter((time) => time >= fromMs)) {
          const found = spans.filter((span) => span.fromMs <= atMs && atMs < span.untilMs);
          expect(found).toHaveLength(1);
          const wall = toTimestamp(atMs + (found[0]?.offsetMs ?? 0));
          expect(format.format(atMs)).toBe(`${wall.slice(0, 10)}, ${wall.slice(11, 16)}`);
        }
      },
    ),
    { numRuns: 30 },
  );
});
