import { toTimestamp } from '../kernel/clock.ts';
import { batchGet } from '../table/batch-get.ts';
import { absent, allOf, atMost, attribute, either, lessThan } from '../table/condition.ts';
import { claimLease } from '../table/lease.ts';
import type { Table } from '../table/table.ts';
import { ifAbsent } from '../table/update.ts';
import { targetFromItem } from './item.ts';
import type { Target } from './schemas.ts';
import { keyOf } from './store.ts';
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

/**
 * Looks at a wake by a read that may be about a second old, which costs an eighth of a write that is refused. A wake's number only
 * grows, and the wake of a number never changes except that it ends.
 *
 * @returns the reason, if the lease certainly cannot be taken now
 */
export async function seeWake(
  table: Table,
  wake: Wake,
  { nearMs, preparableMs }: Pick<LeaseTimes, 'nearMs' | 'preparableMs'>,
): Promise<Extract<LeaseOutcome, { state: 'early' | 'obsolete' }> | undefined> {
  const key = keyOf(wake);
  const item = (await batchGet(table, [key], { isEventual: true })).get(key);
  // The read may be older than the wake.
  if (!item || Number(item['wakeNumber']) < wake.wakeNumber) return undefined;
  const target = targetFromItem(item);
  if (target.wakeNumber > wake.wakeNumber || target.wakeAt === undefined) return { state: 'obsolete' };
  const wakeMs = Date.parse(target.wakeAt);
  return wakeMs > (mayPrepareEarly(target) ? preparableMs : nearMs) ? { state: 'early', wakeMs } : undefined;
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
