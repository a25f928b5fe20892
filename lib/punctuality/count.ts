import { dayMs, secondMs } from '../kernel/clock.ts';
import { type PunctualityCount, repairTaskItem } from '../overdue/repair-tasks.ts';
import { present, unconditionally } from '../table/condition.ts';
import { type Key, punctualityKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import {
  deletePart,
  isContention,
  putPart,
  type TransactionItems,
  type TransactionOutcome,
  transact,
  updatePart,
} from '../table/transaction.ts';
import { bucketOf } from './histogram.ts';

/** The time for which the counts of a day are kept: ten days more than can be asked for. */
const keptMs = 100 * dayMs;

/**
 * The number of items in which a platform's targets of a day are counted, so that targets that go live at the same
 * moment rarely share one.
 */
export const punctualityShards = 4;

/**
 * The number of attempts of a transaction while others count in the same item: fewer than usual, because there is another way.
 */
const conflictAttempts = 3;

/** The prefix of the attributes that count buckets; the bucket's number follows. Short, because an item may have hundreds. */
export const bucketPrefix = 'b';

/** Makes the part of a transaction that counts one target. Not idempotent. */
function countPart(table: Pick<Table, 'name'>, count: PunctualityCount): TransactionItems[number] {
  const { workspaceId, postId, accountId, platform, calledAt, lateMs } = count;
  const day = calledAt.slice(0, 'YYYY-MM-DD'.length);
  const shard = (lastDigits(postId) + lastDigits(accountId)) % punctualityShards;
  return updatePart(table, punctualityKey(workspaceId, day, platform, shard), {
    set: { kind: 'punctuality', expiresAtSeconds: (Date.parse(day) + keptMs) / secondMs },
    add: {
      [`${bucketPrefix}${bucketOf(lateMs)}`]: 1,
      count: 1,
      ...(lateMs <= secondMs && { withinOneSecond: 1 }),
    },
    if: unconditionally,
  });
}

const lastDigits = (id: string): number => Number.parseInt(id.slice(-4), 16);

/**
 * Writes the items that make a target live, and counts it in the same transaction, so that it is counted once even
 * after a crash or a repeat. If too many targets are counted at the same time, the transaction stores a task instead,
 * and the sweep counts the target: a statistic never keeps a target from being committed as live.
 *
 * @param parts the writes that make the target live; `failedIndex` of the outcome is an index of these
 * @param count absent: only writes the parts
 * @throws as {@link transact}
 */
export async function transactAndCount(
  table: Table,
  parts: TransactionItems,
  count: PunctualityCount | undefined,
): Promise<TransactionOutcome> {
  if (!count) return transact(table, parts);
  try {
    return await transact(table, [...parts, countPart(table, count)], { conflictAttempts });
  } catch (error) {
    if (!isContention(error)) throw error;
    const task = repairTaskItem({ kind: 'count punctuality', count }, Date.parse(count.calledAt), 0);
    return transact(table, [...parts, putPart(table, task, unconditionally)]);
  }
}

/** Runs the task that {@link transactAndCount} has stored. The count and the end of the task are one transaction. */
export async function countLater(table: Table, count: PunctualityCount): Promise<void> {
  const key = repairTaskItem({ kind: 'count punctuality', count }, 0, 0) as Partial<Key> as Key;
  // If the task no longer exists, the target has been counted.
  await transact(table, [deletePart(table, key, { pk: present }), countPart(table, count)]);
}
