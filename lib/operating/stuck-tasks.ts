import { hourMs, toTimestamp } from '../kernel/clock.ts';
import { repairTaskFromItem } from '../overdue/repair-tasks.ts';
import { batchGet } from '../table/batch-get.ts';
import type { Item } from '../table/items.ts';
import { allDueShards, type Key } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import { indexes } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

/** A repair task that keeps failing. */
export interface StuckTask {
  readonly id: string;
  /** The task itself, in words. */
  readonly task: string;
  readonly failures: number;
  /** The time of its next try, as a timestamp. */
  readonly dueAt: string;
}

/** The minimum number of failures. A single failure may be a conflict; a task that fails this often needs a person. */
const leastFailures = 3;
/** The longest wait of a task that fails: at most six hours. */
const longestWaitMs = 6 * hourMs;
/** The maximum number of keys that are read per shard. */
const maxKeys = 4_000;

/**
 * Returns the repair tasks that have failed three times or more, with their next try. For operators: the sweep tries them for 30
 * days, and its log has the reasons.
 *
 * @param now epoch milliseconds
 */
export async function findStuckTasks(table: Table, now: number): Promise<StuckTask[]> {
  const until = toTimestamp(now + longestWaitMs);
  const keys = (await Promise.all(allDueShards.map((shard) => taskKeys(table, shard, until)))).flat();
  const found = await batchGet(table, keys);
  const items = keys.flatMap((key): Item[] => {
    const item = found.get(key);
    return item ? [item] : [];
  });
  return readableItems(table, items, repairTaskFromItem)
    .filter(({ failures }) => failures >= leastFailures)
    .map(({ id, task, failures, dueAt }) => ({ id, task: task.kind, failures, dueAt }));
}

async function taskKeys(table: Table, shard: string, until: string): Promise<Key[]> {
  const keys: Key[] = [];
  let read = 0;
  const due = {
    partition: shard,
    index: indexes.overdue,
    sort: { before: until },
    attributes: ['pk', 'sk'],
  };
  for await (const page of queryPages(table, due)) {
    keys.push(...(page as unknown as readonly Key[]).filter(({ sk }) => sk === 'CHORE'));
    read += page.length;
    if (read >= maxKeys) break;
  }
  return keys;
}
