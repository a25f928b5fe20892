import { settleCall } from '../at-most-once/call-records.ts';
import { type Clock, toTimestamp } from '../kernel/clock.ts';
import { getItem } from '../table/items.ts';
import { targetKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { targetFromItem } from '../targets/item.ts';
import type { LivePostRecord } from '../targets/live-posts.ts';
import { updateTarget } from '../targets/store.ts';
import { appendEntry } from '../targets/timeline.ts';

interface DisprovePorts {
  readonly table: Table;
  readonly now: Clock;
  readonly uniqueId: () => string;
}

/**
 * Corrects a target that counts as live because of a post that, as its platform's response has proved since, another target has made.
 * The outcome of its own call is unknown: a retry asks the platform first. Idempotent.
 *
 * @throws LeaseLostError if the target changes in the meantime
 */
export async function disproveLive(
  { table, now, uniqueId }: DisprovePorts,
  { workspaceId, postId, accountId, platformPostId }: LivePostRecord,
): Promise<void> {
  const item = await getItem(table, targetKey(workspaceId, postId, accountId));
  const target = item && targetFromItem(item);
  if (target?.publishedAt === undefined || target.platformPostId !== platformPostId) return;
  const { calls = [], timeline, attempt, platform } = target;
  const at = toTimestamp(now());
  const text = `outcome unknown: the post that was taken for this one is another's; check the account on ${platform} before retrying`;
  await updateTarget(
    table,
    target,
    {
      status: 'failed',
      // A person who took the post for this one was mistaken, and may say what is true.
      verdict: null,
      problem: { code: 'outcome_unknown', text },
      wakeAt: null,
      failedAt: at,
      platformPostId: null,
      permalink: null,
      publishedAt: null,
      calledAt: null,
      calls: settleCall(calls, 'unknown', "the post that was found is another's"),
      timeline: appendEntry(timeline, { at, attempt, event: 'failed', reason: text, calls: [] }),
    },
    uniqueId(),
  );
}
