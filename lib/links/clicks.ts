import { dayMs, toTimestamp } from '../kernel/clock.ts';
import { dayIn } from '../kernel/time-zone.ts';
import { clicksPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { quarterAttribute, quarterMs } from './quarters.ts';

export interface Clicks {
  readonly total: number;
  /** The days with at least one click, oldest first. */
  readonly days: readonly { readonly day: string; readonly clicks: number }[];
}

/** A range of days as `YYYY-MM-DD`, both included. */
export interface DayRange {
  readonly first: string;
  readonly last: string;
  /** The zone whose days these are; default: UTC. */
  readonly timezone?: string | undefined;
}

/**
 * Returns the clicks on links, by code, on these days or in total. A code without clicks has `{ total: 0, days: [] }`.
 * Makes one query per link: a day has at most ten items, so a page of 1 MB holds more than three months of a link that is clicked all day.
 * Clicks that an earlier release has counted by the day only belong to their day in UTC.
 */
export async function readClicks(
  table: Table,
  codes: readonly string[],
  days?: DayRange,
): Promise<ReadonlyMap<string, Clicks>> {
  const distinct = [...new Set(codes)];
  const read = await Promise.all(
    distinct.map(async (code) => [code, await readClicksOf(table, code, days)] as const),
  );
  return new Map(read);
}

async function readClicksOf(table: Table, code: string, range?: DayRange): Promise<Clicks> {
  const byDay = new Map<string, number>();
  let total = 0;
  const partition = clicksPartition(code);
  const { timezone = 'UTC' } = range ?? {};
  const isUtc = timezone === 'UTC';
  // A day of another zone lies in two or three days in UTC. `~` sorts after every shard of the last day.
  const sort = range && {
    between: [
      isUtc ? range.first : dayAfter(range.first, -1),
      `${isUtc ? range.last : dayAfter(range.last, 1)}#~`,
    ] as const,
  };
  const add = (day: string, clicks: number) => {
    if (clicks === 0 || (range && (day < range.first || day > range.last))) return;
    byDay.set(day, (byDay.get(day) ?? 0) + clicks);
    total += clicks;
  };
  const attributes = ['sk', 'clicks', ...(isUtc ? [] : quarters)];
  for await (const page of queryPages(table, { partition, sort, isEventual: true, attributes })) {
    for (const { sk, clicks, ...counted } of page) {
      const [day = ''] = String(sk).split('#');
      const byQuarter = Object.entries(counted).map(
        ([name, of]) => [Number(name.slice(1)), Number(of)] as const,
      );
      for (const [quarter, of] of byQuarter) add(dayIn(timezone, Date.parse(day) + quarter * quarterMs), of);
      add(day, Number(clicks) - byQuarter.reduce((sum, [, of]) => sum + of, 0));
    }
  }
  const days = [...byDay].map(([day, clicks]) => ({ day, clicks }));
  return { total, days: days.toSorted((one, other) => (one.day < other.day ? -1 : 1)) };
}

const quarters = Array.from({ length: dayMs / quarterMs }, (_, quarter) => quarterAttribute(quarter));

const dayAfter = (day: string, days: number): string =>
  toTimestamp(Date.parse(day) + days * dayMs).slice(0, 10);
