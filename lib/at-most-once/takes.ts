import { minuteMs, secondMs } from '../kernel/clock.ts';
import { backoffMs } from '../kernel/retry.ts';
import { longestRetryMs } from './retry-policy.ts';

/** The number of times that an item's lease was taken since a worker last released it properly, and the time of the first. */
export interface Takes {
  readonly takes?: number | undefined;
  /** The time of the first take, as a timestamp. */
  readonly takenSince?: string | undefined;
}

/** The number of takes up to which failed workers prove nothing: a machine can fail, or a deployment can be bad. */
const minTakes = 10;

/** The number of takes in a row after which each further one gets a longer lease. */
const takesWithUsualLease = 3;

const leaseBackoff = { baseMs: 30 * secondMs, capMs: 15 * minuteMs };

/**
 * Returns true if an item crashes or fails every worker that takes it: more than ten takes in a row, over more than six
 * hours, ended without a commit that released the item. Each take is counted before work starts, so crashes count.
 *
 * @param now epoch milliseconds
 */
export function isHopeless({ takes = 0, takenSince }: Takes, now: number): boolean {
  return takes > minTakes && takenSince !== undefined && now > Date.parse(takenSince) + longestRetryMs;
}

/**
 * Returns the extra time for which an item that earlier workers failed to finish is left alone, in milliseconds.
 *
 * @param chance a number in [0, 1)
 */
export function extraHoldMs({ takes = 0 }: Takes, chance: number): number {
  return takes > takesWithUsualLease ? backoffMs(takes - takesWithUsualLease, leaseBackoff, chance) : 0;
}
