import * as z from 'zod';
import { dayMs, secondMs } from '../kernel/clock.ts';
import { batchGet } from '../table/batch-get.ts';
import { absent } from '../table/condition.ts';
import { getItem, updateItem } from '../table/items.ts';
import { bestPostsKey, type Key, monthOf, numbersPartition, postNumbersKey } from '../table/keys.ts';
import { backOff, type Table } from '../table/table.ts';
import { interactionsOf, latestReading, type NumbersRow, numbersFromItem } from './numbers-row.ts';

/** The number of posts that the rank of a month has. */
export const mostBest = 100;

/** A destination in the rank: the sort key of its row, and its interactions when it was last written. */
const BestEntry = z.object({ k: z.string(), s: z.int() });
type BestEntry = z.infer<typeof BestEntry>;

/** The rank of a workspace's month, in no order. Lists read the rows for the numbers of now. */
export const BestPosts = z.object({ best: z.array(BestEntry), version: z.int() });

export const rowKeyOf = (workspaceId: string, month: string, { k }: BestEntry): Key => ({
  pk: numbersPartition(workspaceId, month),
  sk: k,
});

/** The time for which a rank is kept: as long as the longest-kept numbers, counted from the month's last reading. */
const keptMs = 400 * dayMs;

/**
 * Returns the rank with these rows; `undefined` if it need not be written. While it has room, a row only enters once. Once it is full,
 * the scores of its members are kept up to date, because the lowest one decides who enters. {@link rankRows} reads those scores again
 * when it becomes full. Pure.
 */
export function ranked(
  before: readonly BestEntry[],
  rows: readonly { readonly k: string; readonly s: number }[],
): BestEntry[] | undefined {
  const entries = new Map(before.map((entry) => [entry.k, entry.s]));
  const isFull = before.length >= mostBest;
  let isChanged = false;
  for (const { k, s } of rows) {
    const known = entries.get(k);
    if (known === undefined || (isFull && known !== s)) isChanged = true;
    entries.set(k, s);
  }
  if (!isChanged) return undefined;
  const best = [...entries].map(([k, s]) => ({ k, s })).sort((one, other) => other.s - one.s);
  const kept = best.slice(0, mostBest);
  const isSame =
    kept.length === before.length && kept.every(({ k, s }) => before.some((e) => e.k === k && e.s === s));
  return isSame ? undefined : kept;
}

/** True if a rank with room is full after these rows. */
const isFilledBy = (before: readonly BestEntry[], rows: readonly BestEntry[]): boolean =>
  before.length < mostBest && new Set([...before, ...rows].map(({ k }) => k)).size >= mostBest;

/** Returns the members of a rank with the scores of now. One without a row has none: it makes room. */
async function scoredAgain(
  table: Table,
  workspaceId: string,
  month: string,
  members: readonly BestEntry[],
): Promise<BestEntry[]> {
  const found = await batchGet(
    table,
    members.map((member) => rowKeyOf(workspaceId, month, member)),
  );
  return members.map((member) => {
    const item = found.get(rowKeyOf(workspaceId, month, member));
    return { k: member.k, s: item ? interactionsOf(latestReading(numbersFromItem(item))) : -1 };
  });
}

const maxTries = 5;
const contentionRange = { baseMs: 50, capMs: 1_000 };

/**
 * Lets rows that were read compete for the best posts of their workspace's month. A rank that is written at the same time is read
 * again. Idempotent.
 *
 * @param rows rows of one workspace and month
 */
export async function rankRows(table: Table, rows: readonly NumbersRow[], now: number): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const key = bestPostsKey(first.workspaceId, monthOf(first.publishedAt));
  const scored = rows.map((row) => ({
    k: postNumbersKey(row).sk,
    s: interactionsOf(latestReading(row)),
  }));
  for (let attempt = 1; attempt <= maxTries; attempt += 1) {
    const item = await getItem(table, key);
    const before = item ? BestPosts.parse(item) : { best: [], version: 0 };
    const members = isFilledBy(before.best, scored)
      ? await scoredAgain(table, first.workspaceId, monthOf(first.publishedAt), before.best)
      : [];
    const best = ranked(before.best, [...members, ...scored]);
    if (best === undefined) return;
    const expiresAtSeconds = Math.ceil((now + keptMs) / secondMs);
    const { written } = await updateItem(table, key, {
      set: { kind: 'bestPosts', best, version: before.version + 1, expiresAtSeconds },
      if: { version: item ? before.version : absent },
    });
    if (written) return;
    await backOff(table, attempt, contentionRange);
  }
}

/** Takes posts whose numbers were deleted out of the rank of a month, so that they keep no place from others. Idempotent. */
export async function leaveRank(
  table: Table,
  workspaceId: string,
  month: string,
  isDeleted: (key: Key) => boolean,
): Promise<void> {
  const key = bestPostsKey(workspaceId, month);
  for (let attempt = 1; attempt <= maxTries; attempt += 1) {
    const item = await getItem(table, key);
    if (!item) return;
    const { best, version } = BestPosts.parse(item);
    const left = best.filter((entry) => !isDeleted(rowKeyOf(workspaceId, month, entry)));
    if (left.length === best.length) return;
    const set = { best: left, version: version + 1 };
    if ((await updateItem(table, key, { set, if: { version } })).written) return;
    await backOff(table, attempt, contentionRange);
  }
}
