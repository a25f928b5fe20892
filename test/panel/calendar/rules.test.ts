import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import {
  byDay,
  dayOf,
  daysOf,
  rangeOf,
  step,
  views,
  weekOf,
  weeksOfMonth,
} from '../../../lib/panel/pages/calendar/days.ts';
import { entriesOf, passes } from '../../../lib/panel/pages/calendar/entries.ts';
import { words } from '../../../lib/panel/words/words.ts';
import { instagram, linkedin, threads } from '../support/accounts.ts';
import { listedPostOf, targetOf } from '../support/posts.ts';

const zones = [
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Africa/Casablanca',
  'UTC',
] as const;
const days = fc
  .date({ min: new Date('2010-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

describe('the grid of the calendar', () => {
  it('shows whole weeks from Monday, four to six of them', () => {
    expect(weeksOfMonth('2026-11-23').map((week) => [week[0], week[6]])).toEqual([
      ['2026-10-26', '2026-11-01'],
      ['2026-11-02', '2026-11-08'],
      ['2026-11-09', '2026-11-15'],
      ['2026-11-16', '2026-11-22'],
      ['2026-11-23', '2026-11-29'],
      ['2026-11-30', '2026-12-06'],
    ]);
    expect(weeksOfMonth('2027-02-11')).toHaveLength(4);
    expect(weekOf('2026-11-29')).toEqual(weeksOfMonth('2026-11-01')[4]);
  });

  it('has every day of a month once, whatever month', () => {
    fc.assert(
      fc.property(days, (day) => {
        const shown = weeksOfMonth(day);
        expect(shown.length).toBeLessThanOrEqual(6);
        const flat = shown.flat();
        expect(new Set(flat).size).toBe(flat.length);
      }),
    );
  });

  it('shows 30 days from the chosen one in an agenda, also at the end of a month', () => {
    const shown = daysOf('agenda', '2026-11-30');
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([30, '2026-11-30', '2026-12-29']);
    expect(step('agenda', '2026-11-30', 1)).toBe('2026-12-30');
  });

  it('reads at most 62 days, and all that it shows', () => {
    fc.assert(
      fc.property(days, fc.constantFrom(...views), fc.constantFrom(...zones), (day, view, zone) => {
        const range = rangeOf(view, day, zone);
        expect(Date.parse(range.to) - Date.parse(range.from)).toBeLessThanOrEqual(62 * 86_400_000);
        for (const each of daysOf(view, day)) expect(range.days).toContain(each);
      }),
    );
  });

  it('puts every post of a month on exactly one day, at the time that the clocks show', () => {
    fc.assert(
      fc.property(
        days,
        fc.constantFrom(...zones),
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { maxLength: 40 }),
        (day, zone, places) => {
          const range = rangeOf('month', day, zone);
          const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
          const posts = places.map((place) => ({
            at: new Date(from + Math.floor(place * (to - from))).toISOString(),
          }));
          const grid = byDay(posts, range.days, zone);
          const placed = [...grid.values()].flat();
          expect(placed).toHaveLength(posts.length);
          expect(new Set(placed)).toEqual(new Set(posts));
          for (const [shown, list] of grid) {
            for (const { at } of list) {
              const zoned = Temporal.Instant.from(at).toZonedDateTimeISO(zone);
              expect(zoned.toPlainDate().toString()).toBe(shown);
            }
            expect(list.map(({ at }) => at)).toEqual(list.map(({ at }) => at).toSorted());
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it.each([
    ['the last moment before the clocks change', '2026-10-24T21:59:59.999Z', '2026-10-24'],
    ['the first of two', '2026-10-25T00:30:00.000Z', '2026-10-25'],
    ['the second of two', '2026-10-25T01:30:00.000Z', '2026-10-25'],
    ['the last hour of a day of 25 hours', '2026-10-25T22:59:59.000Z', '2026-10-25'],
    ['the first moment of the next', '2026-10-25T23:00:00.000Z', '2026-10-26'],
  ])('knows the day of %s', (_what, at, day) => {
    const grid = byDay([{ at }], daysOf('month', '2026-10-25'), 'Europe/Berlin');
    expect(grid.get(day)).toEqual([{ at }]);
  });

  it('leaves a day empty that the clocks skip', () => {
    const shown = daysOf('week', '2011-12-30');
    const grid = byDay([{ at: '2011-12-30T10:00:00.000Z' }], shown, 'Pacific/Apia');
    expect([...grid].filter(([, list]) => list.length > 0).map(([day]) => day)).toEqual(['2011-12-31']);
  });

  it.each([
    ['month', '2026-01-31', 1, '2026-02-28'],
    ['month', '2026-03-31', -1, '2026-02-28'],
    ['agenda', '2026-12-15', 1, '2027-01-14'],
    ['agenda', '2027-01-14', -1, '2026-12-15'],
    ['week', '2026-12-29', 1, '2027-01-05'],
    ['day', '2026-03-01', -1, '2026-02-28'],
  ] as const)('steps by one %s from %s', (view, day, direction, expected) => {
    expect(step(view, day, direction)).toBe(expected);
  });

  it('takes only days that exist from a URL', () => {
    expect(dayOf('2026-11-23')).toBe('2026-11-23');
    for (const wrong of ['2026-02-30', '2026-13-01', '23.11.2026', '', '99999-01-01', undefined])
      expect(dayOf(wrong), `${wrong}`).toBeUndefined();
  });
});

describe('a card of the calendar', () => {
  const at = '2026-11-23T08:00:00.000Z';
  const later = '2026-11-24T08:00:00.000Z';

  it('is one for all destinations with the same time', () => {
    const post = listedPostOf(1, {
      scheduledFor: at,
      platforms: [targetOf(instagram), targetOf(linkedin, { scheduledFor: at })],
    });
    expect(entriesOf(post)).toMatchObject([{ at, isPart: false, condition: 'scheduled' }]);
  });

  it('is one for each time, with the condition of its own destinations', () => {
    const post = listedPostOf(1, {
      status: 'publishing',
      scheduledFor: at,
      platforms: [
        targetOf(instagram, { scheduledFor: at, status: 'published' }),
        targetOf(threads, { scheduledFor: at, status: 'failed' }),
        targetOf(linkedin, { scheduledFor: later }),
      ],
    });
    expect(
      entriesOf(post).map(({ at, condition, isPart, targets }) => [at, condition, isPart, targets.length]),
    ).toEqual([
      [at, 'partial', true, 2],
      [later, 'scheduled', true, 1],
    ]);
  });

  it('shows a draft with a time and without destinations, and no draft without a time', () => {
    expect(entriesOf(listedPostOf(1, { status: 'draft', scheduledFor: at }))).toMatchObject([
      { targets: [] },
    ]);
    expect(
      entriesOf(listedPostOf(1, { status: 'draft', platforms: [targetOf(instagram, { status: 'draft' })] })),
    ).toEqual([]);
  });

  it('passes filters that one of its destinations passes as a whole', () => {
    const [entry] = entriesOf(
      listedPostOf(1, { scheduledFor: at, platforms: [targetOf(instagram), targetOf(linkedin)] }),
    );
    if (!entry) throw new Error('there is no card');
    expect(passes(entry, {})).toBe(true);
    expect(passes(entry, { account: instagram.id, platform: 'instagram' })).toBe(true);
    expect(passes(entry, { account: instagram.id, platform: 'linkedin' })).toBe(false);
    expect(passes(entry, { status: 'scheduled' })).toBe(true);
    expect(passes(entry, { status: 'attention' })).toBe(false);
  });
});

describe('the time zone above the calendar', () => {
  it.each([
    ['Europe/Berlin', ['CEST', 'CET'], 'Times are those of Europe/Berlin (CEST, then CET).'],
    ['UTC', ['UTC'], 'Times are those of UTC.'],
  ])('is named once: %s', (timezone, names, sentence) => {
    expect(words.calendarPage.zone(timezone, names)).toBe(sentence);
  });
});
