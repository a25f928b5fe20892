import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Clock, minuteMs, toTimestamp } from '../kernel/clock.ts';
import { batchGet, batchGetLimit } from '../table/batch-get.ts';
import { allActionShards, type Key } from '../table/keys.ts';
import { indexes } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { messageOf, postponeSweep } from './action-store.ts';
import { AutomationAction, type AutomationMessage } from './schemas.ts';

/** So late, the message of an action was lost, is far back in its queue, or was never sent: its wait was too long. */
const graceMs = minuteMs / 2;

/** What was sent is not sent again for so long, however far back in the queue it stands. */
const postponedMs = 15 * minuteMs;

export interface SweepActionsPorts {
  readonly table: Table;
  readonly now: Clock;
  /** @returns those that the queue did not take */
  readonly sendAll: (messages: readonly AutomationMessage[]) => Promise<ReadonlySet<AutomationMessage>>;
  /** Tells operators of an item that cannot be read; the others are swept all the same. */
  readonly report: (key: Key, error: unknown) => void;
}

/**
 * Sends the messages of all actions that are due, page by page until none is left or the time is over; the next sweep
 * goes on. Each is moved ahead in the index before its message is sent.
 *
 * @param deadlineMs no page is begun after it, in epoch milliseconds
 * @returns how many messages were sent
 */
export async function sweepActions(ports: SweepActionsPorts, deadlineMs: number): Promise<number> {
  const counts = await Promise.all(allActionShards.map((shard) => sweepShard(ports, shard, deadlineMs)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function sweepShard(ports: SweepActionsPorts, shard: string, deadlineMs: number): Promise<number> {
  const overdue = toTimestamp(ports.now() - graceMs);
  let sent = 0;
  let start: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await ports.table.client.send(
      new QueryCommand({
        TableName: ports.table.name,
        IndexName: indexes.overdue.indexName,
        KeyConditionExpression: 'dueShard = :shard AND dueAt < :overdue',
        ExpressionAttributeValues: { ':shard': shard, ':overdue': overdue },
        Limit: batchGetLimit,
        ExclusiveStartKey: start,
      }),
    );
    const keys = Items.map(({ pk, sk }) => ({ pk, sk }) as Key);
    sent += await sendOverdue(ports, keys, overdue);
    start = LastEvaluatedKey;
  } while (start && ports.now() < deadlineMs);
  return sent;
}

async function sendOverdue(
  { table, now, sendAll, report }: SweepActionsPorts,
  keys: readonly Key[],
  overdue: string,
): Promise<number> {
  // The index may be behind: what it names is read again by key.
  const found = await batchGet(table, keys);
  const messages = await Promise.all(
    keys.map(async (key) => {
      const item = found.get(key);
      if (!item || !(String(item['dueAt']) < overdue)) return [];
      const { data: action, error } = AutomationAction.safeParse(item);
      if (action && (await postponeSweep(table, action, now() + postponedMs))) return [messageOf(action)];
      if (error) report(key, error);
      return [];
    }),
  );
  const all = messages.flat();
  if (all.length === 0) return 0;
  return all.length - (await sendAll(all)).size;
}
