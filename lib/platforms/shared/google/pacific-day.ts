import { secondMs } from '../../../kernel/clock.ts';
import { endOfDayMs } from '../../../kernel/time-zone.ts';

/**
 * Returns the seconds until the next midnight Pacific time, when Google resets its daily quotas.
 *
 * @param now epoch milliseconds
 */
export function secondsToPacificMidnight(now: number): number {
  return Math.ceil((endOfDayMs('America/Los_Angeles', now) - now) / secondMs);
}
