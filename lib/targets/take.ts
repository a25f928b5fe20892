import { toTimestamp } from '../kernel/clock.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import { batchGet } from '../table/batch-get.ts';
import { absent, allOf, atMost, attribute, either, lessThan } from '../table/condition.ts';
import { claimLease, LeaseLostError } from '../table/lease.ts';
import type { Table } from '../table/table.ts';
import { ifAbsent, removingNulls } from '../table/update.ts';
import { targetFromItem } from './item.ts';
import { problemFields } from './problem.ts';
import type { Target } from './schemas.ts';
import { targetLifeCycle } from './state.ts';
import { keyOf, storedValues, type TargetChanges } from './store.ts';
import { mayPrepareEarly } from './wake.ts';

/** The fields that identify one wake of a target. */
type Wake = Pick<Target, 'workspaceId' | 'postId' | 'accountId' | 'wakeNumber'>;

/** The times of a worker that wants to process a wake, in epoch milliseconds. */
export interface LeaseTimes {
  readonly now: number;
  /** The latest wake to accept. */
  readonly nearMs: number;
  /** The latest wake to accept if preparation starts with it. It may start early; going live or a retry may not. */
  readonly preparableMs: number;
  readonly untilMs: number;
}

/** The result of a cheap read of a wake. */
export type SeenWake =
  /** Certain: the target has another wake by now, or none. */
  | { readonly state: 'obsolete' }
  /** Certain: the wake is too far in the future. */
  | { readonly state: 'early'; readonly wakeMs: number }
  /**
   * The target of about the last second. Only a write on condition of its `attempt` and `wakeNumber` shows whether it is
   * unchanged.
   */
  | { readonly state: 'current'; readonly target: Target }
  /** The read may be older than the wake. */
  | { readonly state: 'unknown' };

/**
 * Checks wakes by a read that may be about a second old, which costs an eighth of a write that is refused. A wake's number only
 * grows, and the wake of a number never changes except that it ends. One request.
 *
 * @returns the results, in the order of the wakes
 */
export async function seeWakes(
  table: Table,
  wakes: readonly Wake[],
  times: Pick<LeaseTimes, 'nearMs' | 'preparableMs'>,
): Promise<SeenWake[]> {
  const found = await batchGet(table, wakes.map(keyOf), { isEventual: true });
  return wakes.map((wake) => seenWake(wake, found.get(keyOf(wake)), times));
}

/** Returns the state of a wake from its target's stored item, perhaps about a second old. Pure. */
function seenWake(
  wake: Wake,
  item: Record<string, unknown> | undefined,
  times: Pick<LeaseTimes, 'nearMs' | 'preparableMs'>,
): SeenWake {
  const number = Number(item?.['wakeNumber']);
  if (!item || number < wake.wakeNumber) return { state: 'unknown' };
  let target: Target;
  try {
    target = targetFromItem(item);
  } catch {
    // The worker that takes it meets the error again.
    return { state: 'unknown' };
  }
  if (number > wake.wakeNumber || target.wakeAt === undefined) return { state: 'obsolete' };
  const wakeMs = Date.parse(target.wakeAt);
  const latestMs = mayPrepareEarly(target) ? times.preparableMs : times.nearMs;
  return wakeMs > latestMs ? { state: 'early', wakeMs } : { state: 'current', target };
}

/**
 * Takes the lease of a target for one worker and increments the fencing token. Succeeds if the wake is still current and near,
 * and no other worker holds the lease. The target keeps its place in the index `overdue`, because each move there costs two
 * writes; the sweep reads the lease to decide whether the worker has crashed. Counts every take until a worker releases the lease
 * properly.
 *
 * @param writeId unique to this call; distinguishes our own write, repeated by the SDK, from another worker's
 * @returns the target after the write, or the reason that the lease was not taken
 */
export async function takeLease(
  table: Table,
  wake: Wake,
  { now, nearMs, preparableMs, untilMs, writeId }: LeaseTimes & { readonly writeId: string },
): Promise<LeaseOutcome> {
  /** The condition that preparation has not started, and that the target is not due at this wake. */
  const preparable = {
    wakeAt: allOf(atMost(toTimestamp(preparableMs)), lessThan(attribute('scheduledFor'))),
    preparation: absent,
    failures: 0,
  };
  const outcome = await claimLease(table, keyOf(wake), {
    writeId,
    now,
    untilMs,
    set: { takenSince: ifAbsent(toTimestamp(now)) },
    add: { takes: 1 },
    if: {
      wakeNumber: wake.wakeNumber,
      [either]: [{ wakeAt: atMost(toTimestamp(nearMs)) }, preparable],
    },
  });
  const target = outcome.item && targetFromItem(outcome.item);
  if (outcome.written && target) return { state: 'taken', target };
  if (target?.wakeNumber !== wake.wakeNumber || target.wakeAt === undefined) return { state: 'obsolete' };
  if (target.leaseUntil !== undefined && target.leaseUntil > toTimestamp(now))
    return { state: 'held', untilMs: Date.parse(target.leaseUntil) };
  return { state: 'early', wakeMs: Date.parse(target.wakeAt) };
}

export type LeaseOutcome =
  | { readonly state: 'taken'; readonly target: Target }
  /** The wake is too far in the future. */
  | { readonly state: 'early'; readonly wakeMs: number }
  /** Another worker holds the lease until this time, or longer if it renews the lease. */
  | { readonly state: 'held'; readonly untilMs: number }
  /** The target has another wake by now, or none. */
  | { readonly state: 'obsolete' };

/**
 * Takes the lease of a target and changes it, in one write: for a worker that has done everything before the last call without
 * the lease. Succeeds if the target is unchanged since the worker saw it and nobody holds the lease. Every lease that was taken
 * since raised `attempt`, and every edit of its work, pause, resumption or retry `wakeNumber`; a deleted target has neither. So the rest of
 * the target is unchanged too, except for its place in the index `overdue`, which the worker does not use.
 *
 * The take is not counted: it is only done for a target that no worker has failed to finish. If this worker crashes, the next
 * take counts.
 *
 * @param seen as {@link seeWakes} returned it
 * @param times.untilMs the end of the lease, in epoch milliseconds
 * @param writeId as for {@link takeLease}
 * @returns the target after the write
 * @throws LeaseLostError if the target was taken or changed; then nothing was written
 * @throws ForbiddenMoveError if the life cycle does not allow the new status
 */
export async function takeWith(
  table: Table,
  seen: Target,
  { problem, ...changes }: Omit<TargetChanges, 'failedAt' | 'isClaimed' | 'wakeAt'>,
  { now, untilMs, writeId }: Pick<LeaseTimes, 'now' | 'untilMs'> & { readonly writeId: string },
): Promise<Target> {
  const { attempt, wakeNumber, status, postId, accountId } = seen;
  requireMove('target', targetLifeCycle, status, changes.status ?? status);
  const values = { ...changes, ...(problem !== undefined && problemFields(problem)) };
  const { written, item } = await claimLease(table, keyOf(seen), {
    writeId,
    now,
    untilMs,
    set: removingNulls(storedValues(values)),
    if: { attempt, wakeNumber, status },
  });
  if (!written) throw new LeaseLostError(`target ${accountId} of post ${postId} was taken or changed`);
  return targetFromItem(item);
}
