import { toTimestamp } from '../kernel/clock.ts';
import type { Item } from '../table/items.ts';
import { afterCalendarEntries, calendarPartition } from '../table/keys.ts';
import { countAll, queryPage } from '../table/query.ts';
import type { Table } from '../table/table.ts';

export interface CalendarEntry {
  readonly sk: string;
  /** Epoch milliseconds. */
  readonly atMs: number;
  readonly postId: string;
  /** The key whose rhythm chose the time; absent where somebody named it. */
  readonly autoKeyId?: string | undefined;
}

export interface CalendarPart {
  /** In the order of their times. */
  readonly entries: readonly CalendarEntry[];
  /** Epoch milliseconds up to which nothing is missing. */
  readonly knownUntilMs: number;
}

/** A query answers with 1 MB, some 3,500 entries: about 150 a day over 90 days, where one reads on to the end. */
export const mostPages = 4;

/**
 * What is planned on an account in a span of time, strongly consistent. At most four requests, however full it is: where
 * that does not reach, the answer says how far it goes.
 */
export async function readCalendar(
  table: Table,
  { workspaceId, accountId }: { readonly workspaceId: string; readonly accountId: string },
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): Promise<CalendarPart> {
  const entries: CalendarEntry[] = [];
  const query = {
    partition: calendarPartition(workspaceId, accountId),
    sort: { between: [toTimestamp(fromMs), toTimestamp(untilMs)] },
    attributes: ['sk', 'postId', 'autoKeyId'],
  } as const;
  let after: Item | undefined;
  for (let pages = 0; pages < mostPages; pages += 1) {
    const { items, lastKey } = await queryPage(table, { ...query, after });
    entries.push(...items.map(toEntry));
    if (!lastKey) return { entries, knownUntilMs: untilMs };
    after = lastKey;
  }
  return { entries, knownUntilMs: entries.at(-1)?.atMs ?? fromMs };
}

/** The part of an account's calendar that is still ahead, as a query. @param now epoch milliseconds */
export const plannedFrom = (workspaceId: string, accountId: string, now: number) =>
  ({
    partition: calendarPartition(workspaceId, accountId),
    sort: { between: [toTimestamp(now), afterCalendarEntries] },
  }) as const;

/** How many targets are to go live on an account from now on. @param now epoch milliseconds */
export function countPlanned(
  table: Table,
  workspaceId: string,
  accountId: string,
  now: number,
): Promise<number> {
  return countAll(table, plannedFrom(workspaceId, accountId, now));
}

export function toEntry(item: Item): CalendarEntry {
  const { sk, postId, autoKeyId } = item;
  const [time = ''] = String(sk).split('#');
  return {
    sk: String(sk),
    atMs: Date.parse(time),
    postId: String(postId),
    ...(autoKeyId !== undefined && { autoKeyId: String(autoKeyId) }),
  };
}
