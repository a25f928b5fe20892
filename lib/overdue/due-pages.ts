import { batchesOf } from '../kernel/batches.ts';
import type { Clock } from '../kernel/clock.ts';
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
 * The number of keys of a shard that are read ahead, so that one tenant's backlog does not hide another tenant's few items. A key
 * takes about 300 bytes of memory, and a request returns some 4,000 keys.
 */
const windowKeys = 20_000;

/** The number of pages that are processed at the same time. */
const concurrentPages = 2;

/** A text that sorts after every timestamp, for ranges that have no end. */
export const endOfTime = '9999';

export interface DueRange {
  readonly shards: readonly string[];
  /** A timestamp; items due before it are read. */
  readonly dueBefore: string;
  /** Epoch milliseconds after which no page is begun. */
  readonly deadlineMs: number;
  /**
   * The order of the pages. By default, owners take turns, each with its longest overdue item first. `time` ignores owners: each
   * page begins after everything that was due before it is done.
   */
  readonly order?: 'turns' | 'time';
}

/**
 * Processes the due items in shards of the index `overdue`, in pages of up to 100 items, until none is left or the deadline has
 * passed. The index may lag behind the table, so each item is read again by key and left out if it is gone or is now due later.
 *
 * @throws the first error of a shard or a page, after everything else is done
 */
export async function workDuePages(
  { table, now }: { readonly table: Table; readonly now: Clock },
  { shards, dueBefore, deadlineMs, order = 'turns' }: DueRange,
  work: (page: readonly DueItem[]) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  const windows = shards.map((shard) => keyWindows(table, shard, dueBefore));
  for (;;) {
    const read = await Promise.allSettled(windows.map((window) => window.next()));
    errors.push(...read.flatMap((each) => (each.status === 'rejected' ? [each.reason] : [])));
    const due = read.flatMap((each) => (each.status === 'fulfilled' ? (each.value.value ?? []) : []));
    if (due.length === 0) break;
    const inTime = due.toSorted(byTime);
    const pages = batchesOf(order === 'time' ? inTime : inTurns(inTime), batchGetLimit).values();
    const workPages = async () => {
      for (const keys of pages) {
        if (now() >= deadlineMs) return;
        await readAgain(table, keys, dueBefore)
          .then(work)
          .catch((error) => errors.push(error));
      }
    };
    await Promise.all(Array.from({ length: order === 'time' ? 1 : concurrentPages }, workPages));
    if (now() >= deadlineMs) break;
  }
  if (errors.length > 0) throw errors[0];
}

interface DueKey extends Key {
  readonly dueAt: string;
}

const byTime = (one: DueKey, other: DueKey): number =>
  one.dueAt < other.dueAt ? -1 : Number(one.dueAt > other.dueAt);

/** Reads the keys of a shard in order of time, a window at a time. */
async function* keyWindows(table: Table, shard: string, dueBefore: string): AsyncGenerator<DueKey[], void> {
  let window: DueKey[] = [];
  const due = {
    partition: shard,
    index: indexes.overdue,
    sort: { before: dueBefore },
    attributes: ['pk', 'sk', 'dueAt'],
  };
  for await (const page of queryPages(table, due)) {
    for (const { pk, sk, dueAt } of page as unknown as DueKey[]) window.push({ pk, sk, dueAt });
    if (window.length < windowKeys) continue;
    yield window;
    window = [];
  }
  if (window.length > 0) yield window;
}

async function readAgain(table: Table, keys: readonly Key[], dueBefore: string): Promise<DueItem[]> {
  const found = await batchGet(table, keys);
  return keys.flatMap(({ pk, sk }) => {
    const item = found.get({ pk, sk });
    return item && String(item['dueAt']) < dueBefore ? [{ key: { pk, sk }, item }] : [];
  });
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
