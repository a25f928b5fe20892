import { type Condition, present } from '../../table/condition.ts';
import { updateItem } from '../../table/items.ts';
import { dueShard, postKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { removed } from '../../table/update.ts';
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
  const { chainWakeAt } = post;
  await wakeAt(table, post, nextChainWake(targets, now), { chainWakeAt });
}

/**
 * Counts that the sweep had to ask though something is live, and sets the next time. Counted before work starts, so
 * crashes count.
 *
 * @returns how often so far
 */
export async function countTry(table: Table, post: Post, liveMs: number, now: number): Promise<number> {
  const { chainWakeAt, chainTries = 0 } = post;
  if (!isAskedFor(post, now)) return chainTries;
  await wakeAt(table, post, nextChainTry(liveMs, now), { chainWakeAt }, chainTries + 1);
  return chainTries + 1;
}

/** The sweep asked, and nothing is left to ask after: no step waits, or all targets have failed. */
export async function stopAsking(table: Table, post: Post, now: number): Promise<void> {
  if (!isAskedFor(post, now)) return;
  const { chainWakeAt } = post;
  await updateItem(table, postKey(post.workspaceId, post.id), {
    set: { chainWakeAt: removed, dueAt: removed, dueShard: removed },
    if: { chainWakeAt },
  });
}

/**
 * Has the sweep ask after the chain of a post whose failed targets are about to be retried. Written before they are, and
 * over a time that stands: who has just seen them failed must not stop asking.
 */
export async function askAfterRetry(table: Table, post: Post, now: number): Promise<void> {
  if (!post.chain?.some(({ status }) => status === 'waiting')) return;
  await wakeAt(table, post, chainWakeAfterRetry(now), { pk: present });
}

/** Sets when the sweep asks next. @param chainTries the new count of tries; unchanged if absent */
async function wakeAt(
  table: Table,
  { workspaceId, id }: Post,
  chainWakeAt: string,
  condition: Condition,
  chainTries?: number,
): Promise<void> {
  await updateItem(table, postKey(workspaceId, id), {
    set: { chainWakeAt, dueAt: chainWakeAt, dueShard: dueShard(id), chainTries },
    if: condition,
  });
}
