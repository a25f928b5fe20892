import { batchesOf, mapInBatches } from '../kernel/batches.ts';
import { unconditionally } from '../table/condition.ts';
import { deleteItem, type Item } from '../table/items.ts';
import type { Key } from '../table/keys.ts';
import { type Query, queryPages } from '../table/query.ts';
import { type ErasureRun, requireTime } from './ports.ts';

/** Requests in flight. They stay below the SDK's 50 connections. */
export const concurrentDeletions = 20;

/** The number of items that are deleted between two looks at the clock. */
const itemsBetweenLooks = 200;

/**
 * Deletes items with one request each, because the right to BatchWriteItem would include the right to write items.
 *
 * @throws OutOfTimeError
 */
export async function deleteItems(run: ErasureRun, keys: readonly Key[]): Promise<void> {
  for (const batch of batchesOf(keys, itemsBetweenLooks)) {
    requireTime(run);
    await mapInBatches(batch, concurrentDeletions, (key) => deleteItem(run.table, key, unconditionally));
  }
}

/**
 * Deletes everything that a query of the table finds, page by page.
 *
 * @param first runs for each page before its items are deleted, and deletes other items that only these lead to
 * @throws OutOfTimeError
 */
export async function deleteFound(
  run: ErasureRun,
  query: Query,
  first?: (page: readonly Item[]) => Promise<void>,
): Promise<void> {
  const attributes = first ? {} : { attributes: ['pk', 'sk'] };
  for await (const page of queryPages(run.table, { ...query, ...attributes })) {
    requireTime(run);
    await first?.(page);
    await deleteItems(run, page.map(keyOf));
  }
}

/** Returns the key of an item. */
export const keyOf = ({ pk, sk }: Item): Key => ({ pk: String(pk), sk: String(sk) });
