import { minuteMs, secondMs } from '../kernel/clock.ts';
import { backoffMs } from '../kernel/retry.ts';
import { longestRetryMs } from './retry-policy.ts';

/** How often the lease of an item was taken since a worker last released it properly, and when it was first taken. */
export interface Takes {
  readonly takes?: number | undefined;
  /** A timestamp. */
  readonly takenSince?: string | undefined;
}

/** Fewer failed workers in a row prove nothing: a machine can fail, or a deployment can be bad. */
const minTakes = 10;

/** After this many takes in a row, each further one gets a longer lease. */
const takesWithUsualLease = 3;

const leaseBackoff = { baseMs: 30 * secondMs, capMs: 15 * minuteMs };

/**
 * Whether an item crashes or fails every worker that takes it: more than ten takes in a row, over more than six hours,
 * ended without a commit that released the item. Each take is counted before work starts, so crashes count.
 *
 * @param now epoch milliseconds
 */
export function isHopeless({ takes = 0, takenSince }: Takes, now: number): boolean {
  return takes > minTakes && takenSince !== undefined && now > Date.parse(takenSince) + longestRetryMs;
}

/**
 * How much longer than usual an item that earlier workers failed to finish is left alone, in milliseconds.
 *
 * @param chance a number in [0, 1)
 */
export function extraHoldMs({ takes = 0 }: Takes, chance: number): number {
  return takes > takesWithUsualLease ? backoffMs(takes - takesWithUsualLease, leaseBackoff, chance) : 0;
}
