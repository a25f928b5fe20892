import { clicksPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';

export interface Clicks {
  readonly total: number;
  /** The days in UTC with at least one click, oldest first. */
  readonly days: readonly { readonly day: string; readonly clicks: number }[];
}

/** A range of days in UTC as `YYYY-MM-DD`, both included. */
export interface DayRange {
  readonly first: string;
  readonly last: string;
}

/**
 * Returns the clicks on links, by code, on these days or in total. A code without clicks has `{ total: 0, days: [] }`.
 * Makes one query per link: a day has at most ten items, so a page of 1 MB holds more than three years.
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
  // `~` sorts after every shard of the last day.
  const sort = range && { between: [range.first, `${range.last}#~`] as const };
  const query = { partition, sort, isEventual: true, attributes: ['sk', 'clicks'] };
  for await (const page of queryPages(table, query)) {
    for (const { sk, clicks } of page) {
      const [day = ''] = String(sk).split('#');
      byDay.set(day, (byDay.get(day) ?? 0) + Number(clicks));
      total += Number(clicks);
    }
  }
  return { total, days: [...byDay].map(([day, clicks]) => ({ day, clicks })) };
}
