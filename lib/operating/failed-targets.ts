import { hourMs, toTimestamp } from '../kernel/clock.ts';
import type { Platform } from '../platforms/contract/names.ts';
import { batchGet, batchGetLimit } from '../table/batch-get.ts';
import { allFailedShards, type Key } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import { isUnreadable, reportUnreadable } from '../table/readable.ts';
import { indexes } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { targetFromItem } from '../targets/item.ts';
import type { Target } from '../targets/schemas.ts';

/** The longest span of one question: each hour takes eight requests. */
export const longestSpanMs = 7 * 24 * hourMs;

/** The failed targets to look for. */
export interface FailedRange {
  /** Epoch milliseconds. */
  readonly sinceMs: number;
  /** Epoch milliseconds; the hour of this time is the first that is read. */
  readonly now: number;
  readonly platform?: Platform | undefined;
  readonly limit: number;
}

export interface FailedTargets {
  /** Latest failure first. */
  readonly targets: readonly Target[];
  /** True if there are more than `limit` in the range, or too many of other platforms to look for these. */
  readonly isCut: boolean;
}

/**
 * Returns the targets of all workspaces that have failed since a time and were not retried or deleted since, for operators. The
 * index keeps them by the hour of their failure; failures before the release that introduced it are missing.
 *
 * @param onHour gets the beginning of each hour that is read, in epoch milliseconds
 */
export async function findFailedTargets(
  table: Table,
  { sinceMs, now, platform, limit }: FailedRange,
  onHour: (hour: number) => void = () => {},
): Promise<FailedTargets> {
  const targets: Target[] = [];
  const firstHour = Math.floor(sinceMs / hourMs) * hourMs;
  for (let hour = Math.floor(now / hourMs) * hourMs; hour >= firstHour; hour -= hourMs) {
    onHour(hour);
    const wanted = { since: toTimestamp(sinceMs), platform, limit: limit - targets.length };
    const found = await failedInHour(table, toTimestamp(hour), wanted);
    targets.push(...found.targets);
    if (found.isCut || targets.length > limit) return { targets: targets.slice(0, limit), isCut: true };
  }
  return { targets, isCut: false };
}

/** The maximum number of keys that are read per shard and hour: 16,000 failures an hour are an incident of their own. */
const maxKeys = 2_000;

interface Wanted {
  readonly since: string;
  readonly platform: Platform | undefined;
  readonly limit: number;
}

/** Returns the failed targets of one hour, latest first; more than `limit` if there are more. */
async function failedInHour(table: Table, hour: string, wanted: Wanted): Promise<FailedTargets> {
  const shards = await Promise.all(allFailedShards(hour).map((shard) => failedInShard(table, shard, wanted)));
  return {
    targets: shards.flatMap(({ targets }) => targets).sort(byLatestFailure),
    isCut: shards.some(({ isCut }) => isCut),
  };
}

async function failedInShard(
  table: Table,
  shard: string,
  { since, platform, limit }: Wanted,
): Promise<FailedTargets> {
  const targets: Target[] = [];
  let read = 0;
  const failed = {
    partition: shard,
    index: indexes.overdue,
    sort: { atLeast: since },
    descending: true,
    limit: batchGetLimit,
    attributes: ['pk', 'sk'],
  };
  for await (const page of queryPages(table, failed)) {
    const again = await readAgain(table, page as unknown as readonly Key[], shard);
    targets.push(...again.filter((target) => platform === undefined || target.platform === platform));
    read += page.length;
    if (targets.length > limit) return { targets, isCut: false };
    if (read >= maxKeys) return { targets, isCut: true };
  }
  return { targets, isCut: false };
}

/** Reads targets again, because the index may lag behind: a target that was retried in the meantime is in another shard. */
async function readAgain(table: Table, keys: readonly Key[], shard: string): Promise<Target[]> {
  const found = await batchGet(table, keys);
  return keys.flatMap((key) => {
    const item = found.get(key);
    if (item?.['dueShard'] !== shard) return [];
    try {
      return [targetFromItem(item)];
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      reportUnreadable(table, item, error);
      return [];
    }
  });
}

const byLatestFailure = ({ dueAt: one = '' }: Target, { dueAt: other = '' }: Target): number =>
  one < other ? 1 : Number(one !== other) * -1;
