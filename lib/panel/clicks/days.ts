import { addDays } from '../time.ts';

/** The clicks of a day, in the workspace's zone. */
export interface ClicksOfDay {
  /** `2026-03-14` */
  readonly day: string;
  readonly clicks: number;
}

/** Returns the number of days of a range, both ends included. */
export const daysIn = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;

/**
 * The clicks of several links on each day of a range, oldest first. The service leaves out days without clicks: here they have 0.
 *
 * @param from the first day
 * @param to the last day; it is part of the range
 */
export function clicksPerDay(
  links: Iterable<{ readonly days: readonly ClicksOfDay[] }>,
  from: string,
  to: string,
): ClicksOfDay[] {
  const byDay = new Map<string, number>();
  for (let day = from; day <= to; day = addDays(day, 1)) byDay.set(day, 0);
  for (const { days } of links)
    for (const { day, clicks } of days) {
      const before = byDay.get(day);
      if (before !== undefined) byDay.set(day, before + clicks);
    }
  return [...byDay].map(([day, clicks]) => ({ day, clicks }));
}

export const totalOf = (days: readonly ClicksOfDay[]): number =>
  days.reduce((sum, { clicks }) => sum + clicks, 0);
