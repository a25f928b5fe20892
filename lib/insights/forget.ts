import { batchesOf } from '../kernel/batches.ts';
import { dayMs, toTimestamp } from '../kernel/clock.ts';
import { unconditionally } from '../table/condition.ts';
import { deleteItem } from '../table/items.ts';
import {
  accountNumbersPartition,
  type Key,
  monthOf,
  numbersPartition,
  targetOfNumbers,
} from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { leaveRank } from './best-posts.ts';

/** A time longer than any numbers are kept. */
const mostKeptMs = 430 * dayMs;

/** Returns the months in which numbers can lie that have not expired, the latest first. */
export function keptMonths(now: number): string[] {
  const months = new Set<string>();
  for (let ms = now + dayMs; ms > now - mostKeptMs; ms -= 20 * dayMs) months.add(monthOf(toTimestamp(ms)));
  return [...months];
}

const concurrentDeletions = 10;

/**
 * Deletes the numbers of an account's posts and of the account itself, up to the time at which it was disconnected. Can be repeated, and
 * ends at the deadline.
 *
 * @param until a timestamp; what went live later belongs to the account as it was connected again
 * @returns false if time ran out
 */
export async function forgetNumbers(
  table: Table,
  { workspaceId, accountId, until }: { workspaceId: string; accountId: string; until: string },
  now: () => number,
  deadlineMs: number,
): Promise<boolean> {
  const isOwn = (key: Key) => {
    const target = targetOfNumbers(key);
    return target.accountId === accountId && target.publishedAt <= until;
  };
  const months = keptMonths(now());
  const partitions = [
    { partition: accountNumbersPartition(workspaceId, accountId), isOwn: ({ sk }: Key) => sk <= until },
    ...months.map((month) => ({ partition: numbersPartition(workspaceId, month), isOwn })),
  ];
  for (const { partition, isOwn } of partitions) {
    for await (const page of queryPages(table, { partition, attributes: ['pk', 'sk'] })) {
      const keys = (page as unknown as Key[]).filter(isOwn);
      for (const batch of batchesOf(keys, concurrentDeletions)) {
        if (now() >= deadlineMs) return false;
        await Promise.all(batch.map((key) => deleteItem(table, key, unconditionally)));
      }
    }
  }
  for (const month of months) await leaveRank(table, workspaceId, month, isOwn);
  return true;
}
