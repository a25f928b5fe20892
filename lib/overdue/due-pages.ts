import { batchGet, batchGetLimit } from '../table/batch-get.ts';
import type { Key } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import { indexes } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

export interface DueItem {
  readonly key: Key;
  readonly item: Record<string, unknown>;
}

/**
 * Reads what is due in a shard of the index `overdue`, page by page, the longest overdue first. The index may lag behind
 * the table, so each item is read again by key and left out if it is gone or is due later by now.
 *
 * @param dueBefore a timestamp; items due before it are read
 */
export async function* duePages(
  table: Table,
  shard: string,
  dueBefore: string,
): AsyncGenerator<readonly DueItem[]> {
  const due = { partition: shard, index: indexes.overdue, sort: { before: dueBefore }, limit: batchGetLimit };
  for await (const named of queryPages(table, due)) {
    const keys = named.map(({ pk, sk }) => ({ pk, sk }) as Key);
    const found = await batchGet(table, keys);
    yield keys.flatMap((key) => {
      const item = found.get(key);
      return item && String(item['dueAt']) < dueBefore ? [{ key, item }] : [];
    });
  }
}
