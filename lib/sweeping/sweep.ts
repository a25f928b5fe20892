import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { ChainMessage } from '../chains/schemas.ts';
import { secondMs, toTimestamp } from '../kernel/clock.ts';
import { releaseGrant } from '../media/index.ts';
import { messageOf } from '../publishing/effects.ts';
import type { PublishMessage } from '../publishing/message.ts';
import { batchGet } from '../table/batch-get.ts';
import { allDueShards, type Key } from '../table/keys.ts';
import { indexes } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { neglectedSince, targetFromItem } from '../targets/item.ts';

/** What is this late was lost: its message, its schedule, or the worker that held it. Being told of it twice is harmless. */
const graceMs = 15 * secondMs;

/**
 * How many items of one shard a sweep looks at. Targets that are being worked, or wait for a moment that is near, stand
 * among them as well.
 */
const mostPerShard = 1_000;

/** How many targets of one shard a sweep takes up; the next one finds the rest. */
const mostTargets = 200;

export interface SweepPorts {
  readonly table: Table;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly enqueue: (message: PublishMessage, delaySeconds: number) => Promise<void>;
  readonly enqueueChain: (message: ChainMessage) => Promise<void>;
}

export interface SweepCount {
  readonly targets: number;
  readonly grants: number;
  readonly chains: number;
}

/**
 * Finds what should have happened by now and sets it off again, without the help of Scheduler, queue or stream. It
 * reads an index of what is waiting, so a sweep with nothing to find costs one small query a shard.
 */
export async function sweepOverdue(ports: SweepPorts): Promise<SweepCount> {
  const overdue = toTimestamp(ports.now - graceMs);
  const counts = await Promise.all(allDueShards.map((shard) => sweepShard(ports, shard, overdue)));
  return {
    targets: counts.reduce((sum, { targets }) => sum + targets, 0),
    grants: counts.reduce((sum, { grants }) => sum + grants, 0),
    chains: counts.reduce((sum, { chains }) => sum + chains, 0),
  };
}

async function sweepShard(ports: SweepPorts, shard: string, overdue: string): Promise<SweepCount> {
  const { table } = ports;
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: indexes.overdue.indexName,
      KeyConditionExpression: 'dueShard = :shard AND dueAt < :overdue',
      ExpressionAttributeValues: { ':shard': shard, ':overdue': overdue },
      Limit: mostPerShard,
    }),
  );
  // The index may be behind: what it names is read again by key before anything is done.
  const keys = Items.map(({ pk, sk }) => ({ pk, sk }) as Key);
  const found = await batchGet(table, keys);
  let targets = 0;
  let grants = 0;
  let chains = 0;
  for (const key of keys) {
    const item = found.get(key);
    if (!item || !(String(item['dueAt']) < overdue)) continue;
    if (item['kind'] === 'target' && targets < mostTargets) {
      const target = targetFromItem(item);
      const since = neglectedSince(target);
      if (since === undefined || since >= overdue) continue;
      await ports.enqueue(messageOf(target), 0);
      targets += 1;
    }
    if (item['kind'] === 'media') {
      await releaseGrant(table, String(item['workspaceId']), String(item['id']));
      grants += 1;
    }
    if (item['kind'] === 'post') {
      await ports.enqueueChain({ workspaceId: String(item['workspaceId']), postId: String(item['id']) });
      chains += 1;
    }
  }
  return { targets, grants, chains };
}
