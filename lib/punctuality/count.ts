import { dayMs, secondMs } from '../kernel/clock.ts';
import { type PunctualityCount, repairTaskItem } from '../overdue/repair-tasks.ts';
import { present, unconditionally } from '../table/condition.ts';
import { updateItem } from '../table/items.ts';
import { type Key, punctualityKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { deletePart, transact, updatePart } from '../table/transaction.ts';
import type { ItemUpdate } from '../table/update.ts';
import { bucketOf } from './histogram.ts';

/** The time for which the counts of a day are kept: ten days more than can be asked for. */
const keptMs = 100 * dayMs;

/** The prefix of the attributes that count buckets; the bucket's number follows. Short, because an item may have hundreds. */
export const bucketPrefix = 'b';

const dayOf = ({ calledAt }: PunctualityCount): string => calledAt.slice(0, 'YYYY-MM-DD'.length);

/** Names the item that counts a target. Targets with the same name can be counted together. */
export const countedIn = (count: PunctualityCount): string =>
  [count.workspaceId, dayOf(count), count.platform].join(' ');

const keyOf = (count: PunctualityCount): Key =>
  punctualityKey(count.workspaceId, dayOf(count), count.platform);

/** Returns the update that counts targets of one item, see {@link countedIn}. Not idempotent. */
function addition(counts: readonly [PunctualityCount, ...PunctualityCount[]]): ItemUpdate {
  const add: Record<string, number> = { count: counts.length };
  for (const { lateMs, tries } of counts) {
    const names = [
      `${bucketPrefix}${bucketOf(lateMs)}`,
      ...(lateMs <= secondMs ? ['withinOneSecond'] : []),
      ...(tries === undefined ? [] : [tries === 1 ? 'firstTry' : 'laterTry']),
    ];
    for (const name of names) add[name] = (add[name] ?? 0) + 1;
  }
  const expiresAtSeconds = (Date.parse(dayOf(counts[0])) + keptMs) / secondMs;
  return { set: { kind: 'punctuality', expiresAtSeconds }, add, if: unconditionally };
}

/** Counts targets of one item, see {@link countedIn}, with one write. */
export async function countPunctuality(
  table: Table,
  counts: readonly [PunctualityCount, ...PunctualityCount[]],
): Promise<void> {
  await updateItem(table, keyOf(counts[0]), addition(counts));
}

/** Runs the stored task that counts a target. The count and the end of the task are one transaction. */
export async function countLater(table: Table, count: PunctualityCount): Promise<void> {
  const key = repairTaskItem({ kind: 'count punctuality', count }, 0, 0) as Partial<Key> as Key;
  // If the task no longer exists, the target has been counted.
  await transact(table, [
    deletePart(table, key, { pk: present }),
    updatePart(table, keyOf(count), addition([count])),
  ]);
}
