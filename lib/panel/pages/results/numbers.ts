import type { listMetricsOperation } from '../../../insights/operations.ts';
import type { ReplyOf } from '../../api/operation-types.ts';
import { addDays, dayIn } from '../../time.ts';
import { locale, words } from '../../words/words.ts';

/** A destination that went live, with its latest numbers. */
export type Result = ReplyOf<typeof listMetricsOperation>['posts'][number];
export type NumberName = keyof typeof words.resultsPage.numbers;

export const numberNames = Object.keys(words.resultsPage.numbers) as readonly NumberName[];

/** The number in the URL; by default views. */
export const numberIn = (text: string): NumberName => numberNames.find((name) => name === text) ?? 'views';

const format = new Intl.NumberFormat(locale);
export const formatNumber = (value: number): string => format.format(value);

/** The sum of one number over the posts that went live on a day. */
export interface ResultsOfDay {
  readonly day: string;
  readonly total: number;
}

/**
 * Sums a number by the days on which posts went live, oldest first. Posts without the number are left out. Pure.
 *
 * @param range its first and its last day, which is part of it, on the clocks of a zone
 */
export function resultsPerDay(
  results: readonly Result[],
  name: NumberName,
  { from, to, timezone }: { readonly from: string; readonly to: string; readonly timezone: string },
): { readonly days: readonly ResultsOfDay[]; readonly total: number; readonly without: number } {
  const byDay = new Map<string, number>();
  for (let day = from; day <= to; day = addDays(day, 1)) byDay.set(day, 0);
  let total = 0;
  let without = 0;
  for (const { publishedAt, metrics } of results) {
    const { value } = metrics[name];
    const day = dayIn(new Date(publishedAt), timezone);
    const before = byDay.get(day);
    if (value === null || before === undefined) {
      without += 1;
      continue;
    }
    byDay.set(day, before + value);
    total += value;
  }
  return { days: [...byDay].map(([day, sum]) => ({ day, total: sum })), total, without };
}

/** The posts with the most of a number first; those without it last, the latest first. Pure. */
export const bestFirst = (results: readonly Result[], name: NumberName): Result[] =>
  results.toSorted(
    (one, other) =>
      (other.metrics[name].value ?? -1) - (one.metrics[name].value ?? -1) ||
      (one.publishedAt < other.publishedAt ? 1 : -1),
  );
