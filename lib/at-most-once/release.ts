import { type Clock, minuteMs, secondMs } from '../kernel/clock.ts';
import { LeaseLostError } from '../table/lease.ts';
import { extraHoldMs, type Takes } from './takes.ts';

/** The time to another try after an internal error, such as a failed read of the table. Our judgement. */
const soonMs = 2 * secondMs;

/**
 * The longest extra wait after an error that the worker survived. Shorter than after crashes: such an error is usually a
 * failure of AWS that ends soon, and a try costs little.
 */
const longestExtraMs = minuteMs;

interface ReleasePorts {
  readonly now: Clock;
  readonly chance: () => number;
}

/**
 * Releases a held item after an internal error, with a wake about two seconds later; up to a minute later if the same item
 * has failed its workers before.
 *
 * @param held the item after the worker's last commit
 * @param commitWake commits the wake, in epoch milliseconds. It must keep `takes` and `takenSince`, so that an item that
 *   always fails ends after six hours
 * @throws the error, if the item cannot be released: its lease then ends by itself
 */
export async function releaseAfterError(
  { now, chance }: ReleasePorts,
  held: Takes,
  error: unknown,
  commitWake: (wakeMs: number) => Promise<unknown>,
): Promise<void> {
  try {
    await commitWake(now() + soonMs + Math.min(longestExtraMs, extraHoldMs(held, chance())));
  } catch (releaseError) {
    if (releaseError instanceof LeaseLostError) return;
    throw error;
  }
}
