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
 * What waits in a shard of the index `overdue` and is due, the longest due first, page by page. The index may be behind:
 * what it names is read again by key, and is left out if it is gone or due later by now.
 *
 * @param dueBefore a timestamp
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
