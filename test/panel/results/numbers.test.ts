import { describe, expect, it } from 'vitest';
import { bestFirst, numberIn, resultsPerDay } from '../../../lib/panel/pages/results/numbers.ts';
import { instagram, linkedin } from '../support/accounts.ts';
import { metricsOf, resultOf } from '../support/results.ts';

const resultAt = (number: number, publishedAt: string, views: number | undefined) =>
  resultOf(number, instagram, { publishedAt, metrics: metricsOf(views === undefined ? {} : { views }) });

describe('a number by days', () => {
  it('has every day of the range on the clocks of a zone, and says how many posts do not have it', () => {
    const results = [
      resultAt(1, '2026-02-25T23:00:00.000Z', 5),
      resultAt(2, '2026-02-28T22:59:59.999Z', 0),
      resultAt(3, '2026-02-28T12:00:00.000Z', 7),
      resultAt(4, '2026-02-27T12:00:00.000Z', undefined),
    ];
    expect(
      resultsPerDay(results, 'views', { from: '2026-02-26', to: '2026-03-01', timezone: 'Europe/Berlin' }),
    ).toEqual({
      days: [
        { day: '2026-02-26', total: 5 },
        { day: '2026-02-27', total: 0 },
        { day: '2026-02-28', total: 7 },
        { day: '2026-03-01', total: 0 },
      ],
      total: 12,
      without: 1,
    });
  });
});

describe('the best posts', () => {
  it('have the most of the number; a post that has none is worth less than zero, and the latest wins a tie', () => {
    const results = [
      resultAt(1, '2026-02-26T00:00:00.000Z', undefined),
      resultAt(2, '2026-02-26T00:00:00.000Z', 0),
      resultAt(3, '2026-02-26T00:00:00.000Z', 9),
      resultAt(4, '2026-02-27T00:00:00.000Z', 9),
      resultOf(5, linkedin, { publishedAt: '2026-02-28T00:00:00.000Z', metrics: metricsOf({ likes: 99 }) }),
    ];
    const order = bestFirst(results, 'views').map((result) => results.indexOf(result) + 1);
    expect(order).toEqual([4, 3, 2, 5, 1]);
  });
});

it('shows views unless the URL names another number', () => {
  expect(numberIn('likes')).toBe('likes');
  expect(numberIn('loves')).toBe('views');
  expect(numberIn('')).toBe('views');
});
