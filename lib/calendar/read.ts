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
  /** The owner of the rhythm that chose the time, a key or the panel; absent if the request gave it. */
  readonly autoKeyId?: string | undefined;
}

export interface CalendarPart {
  /** The entries, ordered by time. */
  readonly entries: readonly CalendarEntry[];
  /** The time up to which all entries are included, in epoch milliseconds. */
  readonly knownUntilMs: number;
}

/** The limit on pages. Four pages of 1 MB hold about 14,000 entries: some 150 per day over 90 days. */
export const maxPages = 4;

/**
 * Returns the entries of an account in a period, strongly consistent. Makes at most four requests. If they do not cover
 * the period, `knownUntilMs` says how far the result reaches.
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
  for (let pages = 0; pages < maxPages; pages += 1) {
    const { items, lastKey } = await queryPage(table, { ...query, after });
    entries.push(...items.map(toEntry));
    if (!lastKey) return { entries, knownUntilMs: untilMs };
    after = lastKey;
  }
  return { entries, knownUntilMs: entries.at(-1)?.atMs ?? fromMs };
}

/** Returns the query for an account's calendar from now on. @param now epoch milliseconds */
export const plannedFrom = (workspaceId: string, accountId: string, now: number) =>
  ({
    partition: calendarPartition(workspaceId, accountId),
    sort: { between: [toTimestamp(now), afterCalendarEntries] },
  }) as const;

/** Returns the query for a part of an account's calendar; `undefined` if it is empty. Times are epoch milliseconds. */
export const plannedWithin = (workspaceId: string, accountId: string, fromMs: number, untilMs: number) =>
  fromMs >= untilMs
    ? undefined
    : ({
        partition: calendarPartition(workspaceId, accountId),
        sort: { between: [toTimestamp(fromMs), toTimestamp(untilMs)] },
      } as const);

/** Counts the targets that are planned on an account from now on. @param now epoch milliseconds */
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
