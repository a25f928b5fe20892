import { dayMs, toTimestamp } from '../kernel/clock.ts';
import { batchGet } from '../table/batch-get.ts';
import { allDeliveryShards, endpointOf, replayedShard, webhookKey } from '../table/keys.ts';
import { readableItems } from '../table/readable.ts';
import type { Table } from '../table/table.ts';
import { Webhook, webhookStatus } from '../webhooks/schemas.ts';
import { type DueKey, readDueKeys } from './due-work.ts';

/** An endpoint whose attempts fail, with the deliveries that wait for it. */
export interface FailingEndpoint {
  readonly id: string;
  readonly workspaceId: string;
  /** The host of its URL. The rest may be a secret of its owner. */
  readonly host: string;
  /** The time since which every attempt has failed, as a timestamp. */
  readonly failingSince: string;
  /** The number of deliveries that wait for their next attempt. */
  readonly waiting: number;
  /** The time of the next attempt, as a timestamp; in the past if it is overdue. */
  readonly nextAttemptAt: string;
  /** True if its attempts are made apart from those of other endpoints, because it responds slowly. */
  readonly isSlow: boolean;
  /** The first failure, in words. */
  readonly error: string | null;
}

/** The longest wait of a delivery: a day, with its jitter. */
const longestWaitMs = 2 * dayMs;

/**
 * Returns the failing endpoints of all workspaces for which deliveries wait, the longest failing first. For operators. Reads the keys of the
 * index `overdue`, at most 36,000, of which each names its endpoint, and then each of these endpoints once. For 10,000 deliveries of 100
 * endpoints it takes 10 requests and some 300 read units.
 *
 * @param now epoch milliseconds
 * @returns `isCut` if more deliveries wait than were read, so that endpoints may be missing
 */
export async function findFailingEndpoints(
  table: Table,
  now: number,
): Promise<{ readonly endpoints: readonly FailingEndpoint[]; readonly isCut: boolean }> {
  const until = toTimestamp(now + longestWaitMs);
  const shards = await Promise.all(
    [...allDeliveryShards, replayedShard].map((shard) => readDueKeys(table, shard, until)),
  );
  const waiting = Map.groupBy(
    shards.flatMap(({ keys }) => keys),
    ({ pk }) => pk,
  );
  const keys = [...waiting.keys()].map((partition) => {
    const { workspaceId, webhookId } = endpointOf(partition);
    return { partition, ...webhookKey(workspaceId, webhookId) };
  });
  const found = await batchGet(table, keys, { isEventual: true });
  const endpoints = keys.flatMap((key) => {
    const item = found.get(key);
    const [webhook] = item ? readableItems(table, [item], (each) => Webhook.parse(each)) : [];
    return webhook ? failingEndpoint(webhook, waiting.get(key.partition) ?? []) : [];
  });
  return {
    endpoints: endpoints.sort((one, other) => (one.failingSince < other.failingSince ? -1 : 1)),
    isCut: shards.some(({ isCut }) => isCut),
  };
}

/** Returns one endpoint, or none if it does not fail. */
function failingEndpoint(webhook: Webhook, deliveries: readonly DueKey[]): FailingEndpoint[] {
  const { id, workspaceId, url, failingSince, slowSince, statusMessage } = webhook;
  const [nextAttemptAt] = deliveries.map(({ dueAt }) => dueAt).sort();
  if (webhookStatus(webhook) !== 'failing' || failingSince === undefined || nextAttemptAt === undefined)
    return [];
  return [
    {
      ...{ id, workspaceId, host: new URL(url).host, failingSince },
      ...{ waiting: deliveries.length, nextAttemptAt, isSlow: slowSince !== undefined, error: statusMessage },
    },
  ];
}
