import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  axisOf,
  gapsOf,
  instantAt,
  placeBesideOthers,
  rowAt,
} from '../../../lib/panel/pages/calendar/axis.ts';
import { weekOf } from '../../../lib/panel/pages/calendar/days.ts';
import { entriesOf, freeTimeAfter } from '../../../lib/panel/pages/calendar/entries.ts';
import { closedRows } from '../../../lib/panel/pages/calendar/slots.ts';
import { wallClockOf } from '../../../lib/panel/wall-clock.ts';
import { planned } from '../support/calendar-page.ts';

const berlin = 'Europe/Berlin';
const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

describe('the hours of a week', () => {
  it('are 24 on usual days', () => {
    const axis = axisOf(['2026-11-18'], berlin);
    expect(axis.rows).toHaveLength(96);
    expect(gapsOf(axis, '2026-11-18')).toEqual([]);
    expect(iso(instantAt(axis, '2026-11-18', 36))).toBe('2026-11-18T08:00:00.000Z');
    expect(rowAt(axis, '2026-11-18', Date.parse('2026-11-18T08:07:30.000Z'))).toBe(36.5);
  });

  it('have a gap on the day on which the clocks go forward', () => {
    const axis = axisOf(weekOf('2026-03-29'), berlin);
    expect(axis.rows).toHaveLength(96);
    expect(gapsOf(axis, '2026-03-29')).toEqual([{ from: 8, to: 12 }]);
    // What is dropped into the gap goes where the clocks go.
    expect(iso(instantAt(axis, '2026-03-29', 9))).toBe('2026-03-29T01:00:00.000Z');
    expect(rowAt(axis, '2026-03-29', Date.parse('2026-03-29T01:00:00.000Z'))).toBe(12);
    expect(gapsOf(axis, '2026-03-28')).toEqual([]);
  });

  it('have one hour twice on the day on which they go back, and a gap beside it on the others', () => {
    const axis = axisOf(weekOf('2026-10-25'), berlin);
    expect(axis.rows).toHaveLength(100);
    expect(axis.rows.slice(8, 17).map(({ time, isSecond }) => `${time}${isSecond ? ' again' : ''}`)).toEqual([
      '02:00',
      '02:15',
      '02:30',
      '02:45',
      '02:00 again',
      '02:15 again',
      '02:30 again',
      '02:45 again',
      '03:00',
    ]);
    expect(gapsOf(axis, '2026-10-25')).toEqual([]);
    expect(gapsOf(axis, '2026-10-24')).toEqual([{ from: 12, to: 16 }]);
    expect([8, 12].map((row) => iso(instantAt(axis, '2026-10-25', row)))).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T01:00:00.000Z',
    ]);
  });

  it.each(['Australia/Lord_Howe', 'America/Sao_Paulo', 'Asia/Kolkata', 'Africa/Casablanca', 'UTC', berlin])(
    'show at each row what the clocks of %s show',
    (zone) => {
      const days = fc
        .date({ min: new Date('2015-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10));
      fc.assert(
        fc.property(days, fc.nat(110), (day, place) => {
          const axis = axisOf([day], zone);
          const row = place % axis.rows.length;
          const at = axis.instants.get(day)?.[row];
          if (at === undefined) return;
          const { date, time, isSecond = false } = wallClockOf(new Date(at), zone);
          expect({ date, time, isSecond }).toEqual({ date: day, ...axis.rows[row] });
          expect(rowAt(axis, day, at)).toBe(row);
        }),
        { numRuns: 60 },
      );
    },
  );
});

describe('posts among the hours', () => {
  const place = (rows: readonly number[], most: number) =>
    placeBesideOthers(
      rows.map((row, number) => ({ thing: number, row })),
      4,
      most,
    );

  it('stand side by side if they overlap', () => {
    expect(place([10, 12, 14, 30], 3).placed).toEqual([
      { thing: 0, row: 10, column: 0, columns: 2 },
      { thing: 1, row: 12, column: 1, columns: 2 },
      { thing: 2, row: 14, column: 0, columns: 2 },
      { thing: 3, row: 30, column: 0, columns: 1 },
    ]);
  });

  it('are a number if there are too many', () => {
    const { placed, rest } = place([10, 10, 10, 10, 10], 2);
    expect(placed).toEqual([{ thing: 0, row: 10, column: 0, columns: 2 }]);
    expect(rest).toEqual([{ things: [1, 2, 3, 4], row: 10, columns: 2 }]);
  });

  it('are all there, and no two cover each other', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 30 }),
        fc.constantFrom(2, 4),
        (rows, most) => {
          const { placed, rest } = place(rows, most);
          const shown = [...placed.map(({ thing }) => thing), ...rest.flatMap(({ things }) => things)];
          expect(shown.sort((one, other) => one - other)).toEqual(rows.map((_, number) => number));
          const boxes = [
            ...placed.map((each) => ({ ...each })),
            ...rest.map(({ row, columns }) => ({ row, columns, column: columns - 1 })),
          ];
          for (const [number, one] of boxes.entries())
            for (const other of boxes.slice(number + 1)) {
              const isBeside = one.column !== other.column || Math.abs(one.row - other.row) >= 4;
              expect(isBeside).toBe(true);
            }
        },
      ),
    );
  });
});

describe('the slots of an account', () => {
  it('are outside its hours where nothing is chosen', () => {
    const axis = axisOf(['2026-11-18'], berlin);
    const closed = (from: string, to: string, timezone = berlin) =>
      closedRows(axis, '2026-11-18', { dayWindow: { from, to }, timezone }, berlin);
    expect(closed('09:00', '21:00')).toEqual([
      { from: 0, to: 36 },
      { from: 84, to: 96 },
    ]);
    expect(closed('21:00', '02:00')).toEqual([{ from: 8, to: 84 }]);
    expect(closed('09:00', '09:00')).toEqual([]);
    // Nine in London is ten in Berlin.
    expect(closed('09:00', '21:00', 'Europe/London')[0]).toEqual({ from: 0, to: 40 });
  });
});

describe('a copy in the calendar', () => {
  it.each([
    ['10:00', '10:15'],
    ['10:07', '10:15'],
    ['10:15', '10:45'],
  ])('of a post at %s is at %s, where no other post is', (time, free) => {
    const entries = [planned(1, '2026-11-19', '10:15'), planned(2, '2026-11-19', '10:30')].flatMap((post) =>
      entriesOf(post),
    );
    const berlinTime = (text: string) => new Date(`2026-11-19T${text}:00+01:00`).toISOString();
    expect(freeTimeAfter(berlinTime(time), entries)).toBe(
      time === '10:00' ? berlinTime('10:45') : berlinTime(free === '10:15' ? '10:45' : free),
    );
  });
});
