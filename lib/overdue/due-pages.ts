import { batchesOf } from '../kernel/batches.ts';
import { batchGet, batchGetLimit } from '../table/batch-get.ts';
import { type Key, ownerOf } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import { indexes } from '../table/schema.ts';
import type { Table } from '../table/table.ts';

export interface DueItem {
  readonly key: Key;
  readonly item: Record<string, unknown>;
}

/**
 * How many keys of a shard are read ahead, so that one tenant's backlog does not hide another tenant's few items. A key
 * takes about 300 bytes of memory and a request returns some 4,000 keys.
 */
const windowKeys = 20_000;

/**
 * Reads what is due in a shard of the index `overdue`, page by page. Owners take turns, each with its longest overdue item
 * first. The index may lag behind the table, so each item is read again by key and left out if it is gone or is due later
 * by now.
 *
 * @param dueBefore a timestamp; items due before it are read
 */
export async function* duePages(
  table: Table,
  shard: string,
  dueBefore: string,
): AsyncGenerator<readonly DueItem[]> {
  for await (const window of keyWindows(table, shard, dueBefore)) {
    for (const keys of batchesOf(inTurns(window), batchGetLimit)) {
      const found = await batchGet(table, keys);
      yield keys.flatMap((key) => {
        const item = found.get(key);
        return item && String(item['dueAt']) < dueBefore ? [{ key, item }] : [];
      });
    }
  }
}

/** Reads the keys of a shard in order of time, a window at a time. */
async function* keyWindows(table: Table, shard: string, dueBefore: string): AsyncGenerator<Key[]> {
  let window: Key[] = [];
  const due = {
    partition: shard,
    index: indexes.overdue,
    sort: { before: dueBefore },
    attributes: ['pk', 'sk'],
  };
  for await (const page of queryPages(table, due)) {
    for (const { pk, sk } of page as unknown as Key[]) window.push({ pk, sk });
    if (window.length < windowKeys) continue;
    yield window;
    window = [];
  }
  if (window.length > 0) yield window;
}

/** Orders keys so that each owner has one key in each round. Keeps the order of each owner's keys. */
export function inTurns(keys: readonly Key[]): Key[] {
  const byOwner = new Map<string, Key[]>();
  for (const key of keys) {
    const owner = ownerOf(key);
    const own = byOwner.get(owner);
    if (own) own.push(key);
    else byOwner.set(owner, [key]);
  }
  const ordered: Key[] = [];
  let waiting = [...byOwner.values()];
  for (let round = 0; waiting.length > 0; round += 1) {
    for (const own of waiting) ordered.push(own[round] as Key);
    waiting = waiting.filter(({ length }) => length > round + 1);
  }
  return ordered;
}
