import { conditionalUpdate } from '../../table/conditional-update.ts';
import { dueShard, postKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { Target } from '../../targets/schemas.ts';
import type { Post } from '../schemas.ts';
import { chainWakeAfterRetry, nextChainTry, nextChainWake } from './wake.ts';

/** Whether it is the sweep that asks, because the time for it has come. */
function isAskedFor({ chainWakeAt }: Post, now: number): boolean {
  return chainWakeAt !== undefined && Date.parse(chainWakeAt) <= now;
}

/** The sweep asked too early. An edit or a retry that came between has set another time, which stands. */
export async function askAgainLater(
  table: Table,
  post: Post,
  targets: readonly Target[],
  now: number,
): Promise<void> {
  if (!isAskedFor(post, now)) return;
  const next = nextChainWake(targets, now);
  await conditionalUpdate(table, {
    Key: postKey(post.workspaceId, post.id),
    UpdateExpression: 'SET chainWakeAt = :next, dueAt = :next, dueShard = :shard',
    ConditionExpression: 'chainWakeAt = :before',
    ExpressionAttributeValues: {
      ':next': next,
      ':before': post.chainWakeAt,
      ':shard': dueShard(post.id),
    },
  });
}

/**
 * Counts that the sweep had to ask though something is live, and sets the next time before anything else is done: who
 * dies of the chain is counted too.
 *
 * @returns how often so far
 */
export async function countTry(table: Table, post: Post, liveMs: number, now: number): Promise<number> {
  const { chainTries = 0 } = post;
  if (!isAskedFor(post, now)) return chainTries;
  await conditionalUpdate(table, {
    Key: postKey(post.workspaceId, post.id),
    UpdateExpression: 'SET chainWakeAt = :next, dueAt = :next, dueShard = :shard, chainTries = :tries',
    ConditionExpression: 'chainWakeAt = :before',
    ExpressionAttributeValues: {
      ':next': nextChainTry(liveMs, now),
      ':before': post.chainWakeAt,
      ':shard': dueShard(post.id),
      ':tries': chainTries + 1,
    },
  });
  return chainTries + 1;
}

/** The sweep asked, and nothing is left to ask after: no step waits, or all targets have failed. */
export async function stopAsking(table: Table, post: Post, now: number): Promise<void> {
  if (!isAskedFor(post, now)) return;
  await conditionalUpdate(table, {
    Key: postKey(post.workspaceId, post.id),
    UpdateExpression: 'REMOVE chainWakeAt, dueAt, dueShard',
    ConditionExpression: 'chainWakeAt = :before',
    ExpressionAttributeValues: { ':before': post.chainWakeAt },
  });
}

/**
 * Has the sweep ask after the chain of a post whose failed targets are about to be retried. Written before they are, and
 * over a time that stands: who has just seen them failed must not stop asking.
 */
export async function askAfterRetry(table: Table, post: Post, now: number): Promise<void> {
  if (!post.chain?.some(({ status }) => status === 'waiting')) return;
  await conditionalUpdate(table, {
    Key: postKey(post.workspaceId, post.id),
    UpdateExpression: 'SET chainWakeAt = :next, dueAt = :next, dueShard = :shard',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':next': chainWakeAfterRetry(now), ':shard': dueShard(post.id) },
  });
}
