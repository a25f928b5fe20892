import { actionFromItem } from '../automations/actions/item.ts';
import { leastPutOff, silenceMs } from '../incidents/judge.ts';
import { dayMs, minuteMs, toTimestamp } from '../kernel/clock.ts';
import { mediaFromItem } from '../media/stored-media.ts';
import { batchGet } from '../table/batch-get.ts';
import type { Item } from '../table/items.ts';
import { allActionShards, allDeliveryShards, allMediaShards, type Key } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import { indexes } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { Delivery } from '../webhooks/schemas.ts';

/** Work of one kind and owner that failed and is tried again. */
export interface PutOffWork {
  readonly work: string;
  readonly workspaceId: string;
  /** The endpoint or automation; absent for files. */
  readonly id?: string;
  readonly count: number;
  /** The earliest failure, as a timestamp. */
  readonly since: string;
  readonly reason: string;
}

interface Kind {
  readonly work: string;
  readonly shards: readonly string[];
  /** The longest time from a failure to the next try, in milliseconds. */
  readonly longestWaitMs: number;
  /** Returns the failure of an item; `undefined` if it has none. */
  readonly failureOf: (item: Item, table: Table) => Omit<PutOffWork, 'work' | 'count'> | undefined;
}

const kinds: readonly Kind[] = [
  {
    work: 'webhook deliveries',
    shards: allDeliveryShards,
    longestWaitMs: 2 * dayMs,
    failureOf(item) {
      const { workspaceId, webhookId, failures, attempts } = Delivery.parse(item);
      const reason = attempts.at(-1)?.error;
      const since = attempts.at(-failures)?.at ?? attempts[0]?.at;
      if (failures === 0 || since === undefined || !reason) return undefined;
      return { workspaceId, id: webhookId, since, reason };
    },
  },
  {
    work: 'replies and messages',
    shards: allActionShards,
    longestWaitMs: 15 * minuteMs,
    failureOf(item) {
      const { workspaceId, automationId, firstFailureAt } = actionFromItem(item);
      const reason = 'the platform did not take them';
      return firstFailureAt === undefined
        ? undefined
        : { workspaceId, id: automationId, since: firstFailureAt, reason };
    },
  },
  {
    work: 'imports of files',
    shards: allMediaShards,
    longestWaitMs: 15 * minuteMs,
    failureOf(item, table) {
      const { workspaceId, import: progress } = mediaFromItem(item, table);
      if (progress?.status !== 'waiting' || progress.failingSince === undefined) return undefined;
      return { workspaceId, since: progress.failingSince, reason: progress.error ?? '' };
    },
  },
];

/** The maximum number of items that are read per shard. */
const maxPerShard = 100;

/**
 * Returns the work of all workspaces, other than posts, that failed and is tried again, the most first. For operators. Reads a
 * bounded part of the index, what is due next.
 *
 * @param now epoch milliseconds
 */
export async function findPutOffWork(table: Table, now: number): Promise<PutOffWork[]> {
  const found = await Promise.all(kinds.map((kind) => putOffOfKind(table, kind, now)));
  return found.flat().toSorted((one, other) => other.count - one.count);
}

async function putOffOfKind(table: Table, kind: Kind, now: number): Promise<PutOffWork[]> {
  const items = await Promise.all(
    kind.shards.map((shard) => nextInShard(table, shard, toTimestamp(now + kind.longestWaitMs))),
  );
  const failures = readableItems(table, items.flat(), (item) => kind.failureOf(item, table)).filter(
    (each) => each !== undefined,
  );
  const owners = Map.groupBy(failures, ({ workspaceId, id }) => `${workspaceId} ${id}`);
  return [...owners.values()].flatMap((same) => {
    const [oldest] = same.toSorted((one, other) => (one.since < other.since ? -1 : 1));
    return oldest ? [{ work: kind.work, ...oldest, count: same.length }] : [];
  });
}

async function nextInShard(table: Table, shard: string, until: string): Promise<Item[]> {
  const due = {
    partition: shard,
    index: indexes.overdue,
    sort: { before: until },
    attributes: ['pk', 'sk'],
    limit: maxPerShard,
  };
  const { value = [] } = await queryPages(table, due).next();
  const keys = value as unknown as Key[];
  const found = await batchGet(table, keys);
  return keys.map((key) => found.get(key)).filter((item) => item !== undefined);
}

/**
 * Returns the kinds of work with the evidence that an outage of a platform needs: many items of several owners, for a while. An
 * endpoint that is down is its owner's matter. Pure.
 *
 * @param now epoch milliseconds
 */
export function putOffProblems(rows: readonly PutOffWork[], now: number): string[] {
  return [...Map.groupBy(rows, ({ work }) => work)].flatMap(([work, same]) => {
    const count = same.reduce((sum, row) => sum + row.count, 0);
    const owners = new Set(same.map(({ workspaceId }) => workspaceId)).size;
    const [since = ''] = same.map((row) => row.since).toSorted();
    const isMany = count >= leastPutOff.destinations && owners >= leastPutOff.accounts;
    if (!isMany || since > toTimestamp(now - silenceMs)) return [];
    return [`${count} ${work} of ${owners} workspaces are put off since ${since}: ${same[0]?.reason}`];
  });
}
