import { accountFromItem } from '../accounts/store.ts';
import type { PutOff } from '../incidents/schemas.ts';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../kernel/clock.ts';
import { platformNames } from '../platforms/contract/names.ts';
import { putOffOf } from '../recovery/put-off.ts';
import { batchGet } from '../table/batch-get.ts';
import {
  allActionShards,
  allDeliveryShards,
  allDueShards,
  allMediaShards,
  expiringShard,
  type Key,
  replayedShard,
  replayShard,
  withdrawalShard,
} from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import { isUnreadable } from '../table/readable.ts';
import { indexes } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { overdueSince, targetFromItem } from '../targets/item.ts';

/** One kind of work that waits for its time. */
export interface DueWork {
  readonly work: string;
  readonly dueNextHour: number;
  /** The number of items that were due more than five minutes ago. */
  readonly overdue: number;
  /** The due time of the oldest overdue item, as a timestamp; null if none is overdue. */
  readonly oldest: string | null;
  /** True if there is more than was counted. */
  readonly isCut: boolean;
}

/** The result of a look at the index of due work. */
export interface DueReport {
  readonly work: readonly DueWork[];
  /** Keys of overdue items that cannot be read, as `<pk> <sk>`; at most a few. */
  readonly unreadable: readonly string[];
  /** The destinations that are tried again within two minutes after a failure, as far as they were read. */
  readonly putOff: readonly PutOff[];
}

/** The lateness from which work counts as overdue: by then, a sweep has looked at it several times. */
export const overdueMs = 5 * minuteMs;

/** The maximum number of keys that are read per shard. */
const maxKeysPerShard = 4_000;
/** The maximum number of overdue items that are read again. */
const maxRead = 500;

interface Kind {
  readonly work: string;
  readonly shards: readonly string[];
  readonly has: (key: Key) => boolean;
}

const any = () => true;
const kinds: readonly Kind[] = [
  { work: 'destinations of posts', shards: allDueShards, has: ({ sk }) => sk.startsWith('TARGET#') },
  { work: 'follow-up posts', shards: allDueShards, has: ({ sk }) => sk === 'POST' },
  { work: 'repair tasks', shards: allDueShards, has: ({ sk }) => sk === 'CHORE' },
  { work: 'webhook deliveries', shards: allDeliveryShards, has: any },
  { work: 'replays of webhooks', shards: [replayShard, replayedShard], has: any },
  { work: 'replies and messages', shards: allActionShards, has: any },
  { work: 'files', shards: allMediaShards, has: any },
  { work: 'data deletions', shards: [withdrawalShard], has: any },
];

/** A key in the index `overdue`. */
export interface DueKey extends Key {
  /** A timestamp. */
  readonly dueAt: string;
}

/**
 * Counts the work of all workspaces that is due in the next hour and that is overdue. For operators. Reads a bounded part of the
 * index `overdue`, and the items that seem overdue: while an item waits, a sweep moves its time in the index ahead.
 *
 * @param now epoch milliseconds
 */
export async function readDueWork(table: Table, now: number): Promise<DueReport> {
  const shards = [...new Set(kinds.flatMap((kind) => kind.shards))];
  const until = toTimestamp(now + hourMs);
  const keys = new Map(
    await Promise.all(shards.map(async (shard) => [shard, await readDueKeys(table, shard, until)] as const)),
  );
  const unreadable: string[] = [];
  const putOff: PutOff[] = [];
  const work: DueWork[] = [];
  for (const kind of kinds) {
    const found = kind.shards.map((shard) => keys.get(shard) ?? { keys: [], isCut: false });
    const own = found.flatMap((each) => each.keys).filter(kind.has);
    const late = await latenessOf(table, kind, own, now, { unreadable, putOff });
    work.push({
      work: kind.work,
      dueNextHour: own.filter(({ dueAt }) => dueAt >= toTimestamp(now)).length,
      overdue: late.length,
      oldest: late.toSorted()[0] ?? null,
      isCut: found.some(({ isCut }) => isCut),
    });
  }
  return { work, unreadable: unreadable.slice(0, 10), putOff };
}

/**
 * Returns the keys of a shard that are due before a time, the most overdue first, at most 4,000.
 *
 * @param until a timestamp
 */
export async function readDueKeys(
  table: Table,
  shard: string,
  until: string,
): Promise<{ readonly keys: readonly DueKey[]; readonly isCut: boolean }> {
  const keys: DueKey[] = [];
  const due = {
    partition: shard,
    index: indexes.overdue,
    sort: { before: until },
    attributes: ['pk', 'sk', 'dueAt'],
  };
  for await (const page of queryPages(table, due)) {
    keys.push(...(page as unknown as DueKey[]));
    if (keys.length >= maxKeysPerShard) return { keys: keys.slice(0, maxKeysPerShard), isCut: true };
  }
  return { keys, isCut: false };
}

/**
 * @param found gets what else the items show
 * @returns the due time of each overdue item, as timestamps
 */
async function latenessOf(
  table: Table,
  { work }: Kind,
  keys: readonly DueKey[],
  now: number,
  found: { readonly unreadable: string[]; readonly putOff: PutOff[] },
): Promise<string[]> {
  const limit = toTimestamp(now - overdueMs);
  if (work !== 'destinations of posts') return keys.flatMap(({ dueAt }) => (dueAt < limit ? [dueAt] : []));
  // Each sweep moves a target up to two minutes ahead of now, however late it is.
  const near = keys.filter(({ dueAt }) => dueAt < toTimestamp(now + 2 * minuteMs)).slice(0, maxRead);
  const items = await batchGet(table, near);
  return near.flatMap((key) => {
    const item = items.get(key);
    if (!item) return [];
    try {
      const target = targetFromItem(item);
      found.putOff.push(...[putOffOf(target, now)].filter((each) => each !== undefined));
      const since = overdueSince(target);
      return since !== undefined && since < limit ? [since] : [];
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      found.unreadable.push(`${key.pk} ${key.sk}`);
      return key.dueAt < limit ? [key.dueAt] : [];
    }
  });
}

/** An account whose access ends soon. */
export interface EndingAccount {
  readonly platform: string;
  readonly workspaceId: string;
  readonly accountId: string;
  /** A timestamp. */
  readonly reconnectBy: string;
}

/** The period that {@link findEndingAccounts} covers. */
const endingMs = 7 * dayMs;

/**
 * Returns the accounts of all workspaces whose access ends within seven days, soonest first. Finds them by their next notice, so
 * an account in its last day is missing, because its owner has had both notices.
 *
 * @param now epoch milliseconds
 * @returns at most 100 for each platform
 */
export async function findEndingAccounts(table: Table, now: number): Promise<EndingAccount[]> {
  const until = toTimestamp(now + endingMs);
  const keys = await Promise.all(
    platformNames.map(async (platform) => {
      const due = {
        partition: expiringShard(platform),
        index: indexes.overdue,
        sort: { before: until },
        attributes: ['pk', 'sk'],
        limit: 100,
      };
      const { value = [] } = await queryPages(table, due).next();
      return value as unknown as Key[];
    }),
  );
  const found = await batchGet(table, keys.flat());
  const accounts = keys.flat().flatMap((key) => {
    const item = found.get(key);
    const { platform, workspaceId, id, reconnectBy } = item ? accountFromItem(item) : {};
    return reconnectBy === undefined || reconnectBy > until || platform === undefined
      ? []
      : [{ platform, workspaceId: workspaceId ?? '', accountId: id ?? '', reconnectBy }];
  });
  return accounts.sort((one, other) => (one.reconnectBy < other.reconnectBy ? -1 : 1));
}
