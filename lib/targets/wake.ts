import { secondMs } from '../kernel/clock.ts';
import { allDueShards, dueShard, failedShard, scopeOfHeldShard } from '../table/keys.ts';
import type { Target } from './schemas.ts';

/** A target's keys in the index `overdue`. An item without both of them is not in the index. */
type OverdueKeys = Pick<Target, 'dueAt' | 'dueShard'>;

/** Returns the keys by which the index `overdue` finds a target at its wake; none if it has no wake. */
export function overdueKeys({ postId, wakeAt }: Pick<Target, 'postId' | 'wakeAt'>): OverdueKeys {
  return wakeAt === undefined ? {} : { dueAt: wakeAt, dueShard: dueShard(postId) };
}

/**
 * Returns the fields that give a stored target its next wake, or end its waiting. `null` removes a field. Every change of
 * a stored wake uses it, so that no target waits outside the index `overdue`.
 *
 * @param wakeAt the next wake, as a timestamp; `null` for none
 */
export function nextWake(target: Target, wakeAt: string | null) {
  if (wakeAt === null) return { wakeAt, dueAt: null, dueShard: null };
  return { wakeAt, wakeNumber: target.wakeNumber + 1, ...overdueKeys({ ...target, wakeAt }) };
}

/**
 * Returns the keys by which the index `overdue` shows a failed target to operators, until it is retried or deleted. No sweep
 * reads them: the target waits for a person.
 *
 * @param failedAt a timestamp
 */
export function failedKeys({ postId }: Pick<Target, 'postId'>, failedAt: string): Required<OverdueKeys> {
  return { dueAt: failedAt, dueShard: failedShard(failedAt, postId) };
}

/** True if the index `overdue` has the target, in a shard that the sweep reads or that the end of a pause releases. */
export function hasOverdueKeys({ dueAt, dueShard: shard = '' }: OverdueKeys): boolean {
  return dueAt !== undefined && (allDueShards.includes(shard) || scopeOfHeldShard(shard) !== undefined);
}

/** Returns the scope of the pause that holds the target, see `lib/pauses`; `undefined` if none does. */
export function holdingScope({ dueShard: shard = '' }: OverdueKeys): string | undefined {
  return scopeOfHeldShard(shard);
}

/**
 * The time for which the sweep leaves a target alone after it has sent a message for it. With the sweep's grace of 15 seconds,
 * the next sweep, a minute later, finds it again: the message may have been refused or lost.
 */
export const postponedMs = 40 * secondMs;

/** True if preparation starts with the present wake. It may start early; going live or a retry may not. */
export const mayPrepareEarly = ({
  wakeAt = '',
  scheduledFor = '',
  preparation,
  failures,
}: Pick<Target, 'wakeAt' | 'scheduledFor' | 'preparation' | 'failures'>): boolean =>
  wakeAt < scheduledFor && preparation === undefined && failures === 0;
