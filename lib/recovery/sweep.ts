import { secondMs, toTimestamp } from '../kernel/clock.ts';
import type { ChainMessage } from '../posts/chain/schemas.ts';
import { Post } from '../posts/schemas.ts';
import { messageOf, type PublishMessage } from '../publishing/message.ts';
import { batchGet } from '../table/batch-get.ts';
import { allDueShards, type Key } from '../table/keys.ts';
import { queryPage } from '../table/query.ts';
import { indexes } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { overdueSince, targetFromItem } from '../targets/item.ts';
import { runStoredRepair } from './run-repair.ts';

/** Work this late was lost: its message, its schedule, or the worker that held it. A duplicate message is harmless. */
const graceMs = 15 * secondMs;

/**
 * How many items of one shard a sweep reads. They include targets that a worker holds, and targets whose wake is up to
 * two minutes away.
 */
const maxPerShard = 1_000;

/** How many targets of one shard a sweep enqueues. The next sweep finds the rest. */
const maxTargets = 200;

export interface SweepPorts {
  readonly table: Table;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly enqueue: (message: PublishMessage, delaySeconds: number) => Promise<void>;
  readonly enqueueChain: (message: ChainMessage) => Promise<void>;
  /** Reports to operators what a sweep could not do. */
  readonly report: (message: string, error: unknown) => void;
}

type Found = 'targets' | 'chains' | 'repairs';

/** How many items of each kind the sweep handled, and how many failures it had. */
export type SweepCount = Readonly<Record<Found | 'failures', number>>;

/**
 * Finds overdue work by time: sends targets and chains to their queues again, and runs repair tasks. It needs the table
 * and the queues, but not Scheduler, earlier messages or the stream. It reads the index of waiting items, so a sweep that
 * finds nothing costs one small query per shard. A failure of one item does not stop the others.
 */
export async function sweepOverdue(ports: SweepPorts): Promise<SweepCount> {
  const overdue = toTimestamp(ports.now - graceMs);
  const count = { targets: 0, chains: 0, repairs: 0, failures: 0 };
  const sweepShardOrReport = async (shard: string) => {
    try {
      await sweepShard(ports, shard, overdue, count);
    } catch (error) {
      count.failures += 1;
      ports.report('a shard was not swept', error);
    }
  };
  await Promise.all(allDueShards.map(sweepShardOrReport));
  return count;
}

async function sweepShard(
  ports: SweepPorts,
  shard: string,
  overdue: string,
  count: Record<keyof SweepCount, number>,
): Promise<void> {
  const { table } = ports;
  const named = await queryPage(table, {
    partition: shard,
    index: indexes.overdue,
    sort: { before: overdue },
    limit: maxPerShard,
  });
  // The index is eventually consistent, so each item is read again by key first.
  const keys = named.items.map(({ pk, sk }) => ({ pk, sk }) as Key);
  const items = await batchGet(table, keys);
  let targets = 0;
  for (const key of keys) {
    const item = items.get(key);
    if (!item || !(String(item['dueAt']) < overdue)) continue;
    if (item['kind'] === 'target' && targets === maxTargets) continue;
    try {
      const done = await sweepItem(ports, item, overdue);
      if (done) count[done] += 1;
      if (done === 'targets') targets += 1;
    } catch (error) {
      count.failures += 1;
      ports.report(`not swept: ${key.pk} ${key.sk}`, error);
    }
  }
}

/** @returns the kind of work that was restarted, or `undefined` if there was none */
async function sweepItem(
  ports: SweepPorts,
  item: Record<string, unknown>,
  overdue: string,
): Promise<Found | undefined> {
  const { table, now } = ports;
  const workspaceId = String(item['workspaceId']);
  switch (item['kind']) {
    case 'target': {
      const target = targetFromItem(item);
      const since = overdueSince(target);
      if (since === undefined || since >= overdue) return undefined;
      await ports.enqueue(messageOf(target), 0);
      return 'targets';
    }
    case 'post':
      await ports.enqueueChain({ workspaceId, postId: Post.parse(item).id });
      return 'chains';
    case 'chore':
      await runStoredRepair(table, item, now);
      return 'repairs';
    default:
      return undefined;
  }
}
