import { minuteMs, toTimestamp } from '../kernel/clock.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import { absent, allOf, anyOf, atMost, attribute, either, lessThan } from '../table/condition.ts';
import { updateItem } from '../table/items.ts';
import { dueShard, targetKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { ifAbsent, plus, removingNulls } from '../table/update.ts';
import { targetFromItem } from './item.ts';
import type { Target } from './schemas.ts';
import { targetLifeCycle } from './state.ts';

/** New values of a target's fields; `null` removes one. */
export type TargetChanges = {
  readonly [Name in keyof Omit<Target, 'workspaceId' | 'postId' | 'accountId' | 'attempt' | 'dueAt'>]?:
    | Target[Name]
    | null;
};

/** Another worker has the target, or it was edited or deleted: whoever sees this stops and writes nothing more. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/**
 * Takes a target for one worker: raises the fencing token and sets the lease, if the wake is still the target's, is
 * near, and nobody holds the target. The sweep tells by the lease whether that worker is at it or has died: in the index
 * `overdue` the target stays under its wake, because every move there costs two writes. Every taking is counted until a
 * worker lets go in good order.
 *
 * @param writeId unique to this call; it tells our own write, repeated by the SDK, from another worker's
 * @returns the target as it is now, or why it was not taken
 */
export async function takeLease(
  table: Table,
  wake: Pick<Target, 'workspaceId' | 'postId' | 'accountId' | 'wakeNumber'>,
  { now, nearMs, preparableMs, untilMs, writeId }: LeaseTimes & { readonly writeId: string },
): Promise<LeaseOutcome> {
  /** Nothing has been done for it, and it is not due. */
  const preparable = {
    wakeAt: allOf(atMost(toTimestamp(preparableMs)), lessThan(attribute('scheduledFor'))),
    preparation: absent,
    failures: 0,
  };
  const outcome = await updateItem(
    table,
    targetKey(wake.workspaceId, wake.postId, wake.accountId),
    {
      set: {
        leaseUntil: toTimestamp(untilMs),
        attempt: plus(1),
        takenSince: ifAbsent(toTimestamp(now)),
      },
      add: { takes: 1 },
      if: {
        wakeNumber: wake.wakeNumber,
        leaseUntil: anyOf(absent, atMost(toTimestamp(now))),
        [either]: [{ wakeAt: atMost(toTimestamp(nearMs)) }, preparable],
      },
    },
    writeId,
  );
  const target = outcome.item && targetFromItem(outcome.item);
  if (outcome.written && target) return { state: 'taken', target };
  if (target?.wakeNumber !== wake.wakeNumber || target.wakeAt === undefined) return { state: 'out of date' };
  if (target.leaseUntil !== undefined && target.leaseUntil > toTimestamp(now)) return { state: 'held' };
  return { state: 'early', wakeMs: Date.parse(target.wakeAt) };
}

/** In epoch milliseconds. */
interface LeaseTimes {
  readonly now: number;
  /** The latest wake that may be worked now. */
  readonly nearMs: number;
  /** … of a target that is only begun to be prepared: that may be early, where going live and trying again may not. */
  readonly preparableMs: number;
  readonly untilMs: number;
}

export type LeaseOutcome =
  | { readonly state: 'taken'; readonly target: Target }
  /** Its wake is still far off. */
  | { readonly state: 'early'; readonly wakeMs: number }
  /** Another worker has it. */
  | { readonly state: 'held' }
  /** The target waits for something else by now, or for nothing. */
  | { readonly state: 'out of date' };

/**
 * Commits a change of a held target. The write is conditional on the fencing token, on the wake, and on the state the
 * move comes from. A new wake, or none (`null`), ends the lease; anything else keeps it.
 *
 * @throws LeaseLostError if any of these is not so any more
 * @throws ForbiddenMoveError for a status that may not follow the target's
 */
export async function updateTarget(
  table: Table,
  held: Target,
  changes: TargetChanges,
  writeId: string,
): Promise<Target> {
  const { preparation, options, wakeAt } = changes;
  const set = {
    ...changes,
    ...(preparation && { preparation: JSON.stringify(preparation) }),
    ...(options && { options: JSON.stringify(options) }),
    ...(wakeAt !== undefined && {
      ...placeOf(held, wakeAt),
      leaseUntil: null,
      takes: null,
      takenSince: null,
    }),
  };
  const { workspaceId, postId, accountId, attempt, status, wakeNumber } = held;
  requireMove('target', targetLifeCycle, status, changes.status ?? status);
  const outcome = await updateItem(
    table,
    targetKey(workspaceId, postId, accountId),
    { set: removingNulls(set), if: { attempt, status, wakeNumber } },
    writeId,
  );
  if (!outcome.written)
    throw new LeaseLostError(`target ${accountId} of post ${postId} was taken or changed`);
  return targetFromItem(outcome.item);
}

/** How long before its wake a target may stand in the index `overdue`. */
const placeKeptMs = 2 * minuteMs;

/**
 * The target's next place in the index `overdue`: where it is, if the next wake lets it stay. A place too early only
 * makes the sweep read the target in vain; one too late would hide it.
 */
function placeOf({ dueAt, postId }: Target, nextWakeAt: string | null) {
  if (nextWakeAt === null) return { dueAt: null, dueShard: null };
  const earlyMs = Date.parse(nextWakeAt) - Date.parse(dueAt ?? '');
  return earlyMs >= 0 && earlyMs <= placeKeptMs ? {} : { dueAt: nextWakeAt, dueShard: dueShard(postId) };
}
