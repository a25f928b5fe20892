import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { rangeOf, toBoundMs } from '../../../../lib/posts/list/range.ts';

describe('a bound of a period', () => {
  it.each([
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T09:00Z', '2026-03-01T09:00:00.000Z'],
    ['2026-03-01T09:00:00.5Z', '2026-03-01T09:00:00.500Z'],
    ['2026-03-01T09:00:00+03:00', '2026-03-01T06:00:00.000Z'],
    ['2026-03-01T09:00:00-0330', '2026-03-01T12:30:00.000Z'],
    // As `+` arrives if the client does not encode it.
    ['2026-03-01T09:00:00 03:00', '2026-03-01T06:00:00.000Z'],
    ['2026-03-01T09:00:00.250 03:00', '2026-03-01T06:00:00.250Z'],
    ['2026-03-01T09:00 0300', '2026-03-01T06:00:00.000Z'],
    ['2026-03-01 09:00 03', '2026-03-01T06:00:00.000Z'],
  ])('%s is %s', (text, timestamp) => {
    expect(toTimestamp(toBoundMs(text) ?? Number.NaN)).toBe(timestamp);
  });

  it.each([
    ['local time without an offset', '2026-03-01T09:00:00'],
    ['local time with a space', '2026-03-01 09:00'],
    ['a month', '2026-03'],
    ['a day that does not exist', '2026-02-30'],
    ['a number', '1772355600000'],
    ['a word', 'tomorrow'],
    ['nothing', ''],
    ['a year of five digits', '+12026-03-01'],
    ['a time that the offset moves before the year 0', '0000-01-01T00:00:00+01:00'],
    ['a time that the offset moves beyond the year 9999', '9999-12-31T23:59:59-01:00'],
  ])('cannot be %s', (_what, text) => {
    expect(toBoundMs(text)).toBeUndefined();
  });
});

describe('a period', () => {
  const from = Date.parse('2026-03-01T00:00:00Z');
  const day = (days: number) => from + days * dayMs;

  it('does not exist without bounds', () => {
    expect(rangeOf({})).toBeUndefined();
  });

  it.each([
    ['62 days', { from, to: day(62) }, { from, to: day(62) }],
    ['a millisecond', { from, to: from + 1 }, { from, to: from + 1 }],
    ['62 days after from alone', { from }, { from, to: day(62) }],
    ['62 days before to alone', { to: from }, { from: day(-62), to: from }],
  ])('may be %s', (_what, bounds, expected) => {
    expect(rangeOf(bounds)).toEqual({
      first: toTimestamp(expected.from),
      last: toTimestamp(expected.to - 1),
    });
  });

  it.each([
    ['longer than 62 days', { from, to: day(62) + 1 }, 'range_too_long'],
    ['empty', { from, to: from }, 'range_empty'],
    ['reversed', { from, to: from - 1 }, 'range_empty'],
  ])('cannot be %s', (_what, bounds, code) => {
    expect(() => rangeOf(bounds)).toThrow(expect.objectContaining({ code, param: 'to' }));
  });

  it('has bounds whose text order is time order, whatever bound is given', () => {
    const time = fc
      .date({
        min: new Date('0000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59.999Z'),
        noInvalidDate: true,
      })
      .map(Number);
    fc.assert(
      fc.property(time, fc.constantFrom('from', 'to'), (bound, name) => {
        const range = rangeOf({ [name]: bound });
        expect(range).toBeDefined();
        expect((range?.first ?? '') <= (range?.last ?? '')).toBe(true);
        for (const text of Object.values(range ?? {})) expect(text).toMatch(/^\d{4}-/);
      }),
    );
  });
});
