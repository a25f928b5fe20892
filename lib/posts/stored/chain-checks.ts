import { hourMs, minuteMs, toTimestamp } from '../../kernel/clock.ts';
import { absent, type Condition, present } from '../../table/condition.ts';
import { isTransactionConflict, updateItem } from '../../table/items.ts';
import { dueShard, postKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { removed } from '../../table/update.ts';
import type { Target } from '../../targets/schemas.ts';
import type { ChainMessage } from './chain-schemas.ts';
import { Post } from './schemas.ts';

/** The time after which the sweep starts a chain that the commit of the first live target should have started. */
const graceMs = 5 * minuteMs;

/** The longest wait between two checks while no target is live. The waits grow with the time since the post was due. */
const longestGapMs = 6 * hourMs;

/** The longest wait between two checks if a target is live but the chain has not started. */
const longestTryGapMs = hourMs;

/**
 * Returns the time of the sweep's first check of a scheduled post's chain.
 *
 * @param targets the post's targets as planned
 * @returns a timestamp; `undefined` for a draft
 */
export function firstChainWake(targets: readonly Target[]): string | undefined {
  const times = timesOf(targets);
  return times.length > 0 ? toTimestamp(Math.min(...times) + graceMs) : undefined;
}

/** Schedules the next check, if one was due too early. An edit or a retry in between has set its own time, which stays. */
export async function postponeCheck(
  table: Table,
  post: Post,
  targets: readonly Target[],
  now: number,
): Promise<void> {
  if (!isDue(post, now)) return;
  const { chainWakeAt } = post;
  await scheduleCheck(table, post, nextChainWake(targets, now), { chainWakeAt });
}

/**
 * Counts a check that was due although a target is live, and schedules the next. It is counted before work starts, so crashes
 * count.
 *
 * @returns the number of such checks so far
 */
export async function countTry(table: Table, post: Post, liveMs: number, now: number): Promise<number> {
  const { chainWakeAt, chainTries = 0 } = post;
  if (!isDue(post, now)) return chainTries;
  await scheduleCheck(table, post, nextChainTry(liveMs, now), { chainWakeAt }, chainTries + 1);
  return chainTries + 1;
}

/** Ends the sweep's checks if one was due, because no step waits or all targets have failed. */
export async function stopChecks(table: Table, post: Post, now: number): Promise<void> {
  if (!isDue(post, now)) return;
  const { chainWakeAt } = post;
  await updateItem(table, postKey(post.workspaceId, post.id), {
    set: { chainWakeAt: removed, dueAt: removed, dueShard: removed },
    if: { chainWakeAt },
  });
}

/**
 * Schedules a check of the chain of a post whose failed targets are about to be retried. Call it before the retry. It
 * overwrites any scheduled time, so that a worker that still sees the targets as failed cannot stop the checks.
 */
export async function scheduleCheckAfterRetry(table: Table, post: Post, now: number): Promise<void> {
  if (!post.chain?.some(({ status }) => status === 'waiting')) return;
  await scheduleCheck(table, post, toTimestamp(now + graceMs), { pk: present });
}

/** A due check of a chain, as the sweep reads it. */
export interface ChainCheck extends Pick<Post, 'workspaceId' | 'id' | 'chainWakeAt'> {
  /** Its time in the index `overdue`. */
  readonly dueAt: unknown;
}

/** @throws ZodError if the item is not a post */
export function chainCheckFromItem(item: Record<string, unknown>): ChainCheck {
  return { ...Post.parse(item), dueAt: item['dueAt'] };
}

export const messageOfCheck = ({ workspaceId, id }: ChainCheck): ChainMessage => ({
  workspaceId,
  postId: id,
});

/**
 * Moves a check to a later time in the index `overdue`, so that sweeps leave it alone until then. The check stays due.
 *
 * @returns false if the check has changed since it was read
 */
export async function postponeCheckSweep(table: Table, check: ChainCheck, untilMs: number): Promise<boolean> {
  const { workspaceId, id, chainWakeAt = absent, dueAt } = check;
  const update = { set: { dueAt: toTimestamp(untilMs) }, if: { chainWakeAt, dueAt } };
  try {
    return (await updateItem(table, postKey(workspaceId, id), update)).written;
  } catch (error) {
    if (isTransactionConflict(error)) return false;
    throw error;
  }
}

/** True if the sweep's check of the chain is due. */
function isDue({ chainWakeAt }: Post, now: number): boolean {
  return chainWakeAt !== undefined && Date.parse(chainWakeAt) <= now;
}

/** Sets the time of the sweep's next check. @param chainTries the new count; unchanged if absent */
async function scheduleCheck(
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

/**
 * Returns the time of the next check if no target is live yet: soon after the next target is due. If all are overdue, waits again
 * for as long as the last one has been overdue, up to a limit.
 *
 * @param targets the post's current targets; at least one has not failed
 * @param now epoch milliseconds
 */
function nextChainWake(targets: readonly Target[], now: number): string {
  const times = timesOf(targets);
  const next = Math.min(...times.filter((dueMs) => dueMs + graceMs > now)) + graceMs;
  if (next < Number.POSITIVE_INFINITY) return toTimestamp(next);
  const lateMs = times.length > 0 ? now - Math.max(...times) : 0;
  return toTimestamp(now + Math.min(longestGapMs, Math.max(graceMs, lateMs)));
}

/** Returns the time of the next try if a target has been live since `liveMs` and steps still wait. */
function nextChainTry(liveMs: number, now: number): string {
  return toTimestamp(now + Math.min(longestTryGapMs, Math.max(graceMs, now - liveMs)));
}

/** Returns the due times of the targets that may still go live, in epoch milliseconds. */
function timesOf(targets: readonly Target[]): number[] {
  return targets.flatMap(({ status, scheduledFor }) =>
    (status === 'scheduled' || status === 'publishing') && scheduledFor !== undefined
      ? [Date.parse(scheduledFor)]
      : [],
  );
}
