import { dayMs, minuteMs } from '../kernel/clock.ts';
import type { Rhythm } from './schemas.ts';

/** The time ahead in which to search for a slot. */
export const horizonMs = 90 * dayMs;

/** Returns the distance within which an entry can matter: because of gap or buffer, or because it is on the same local day. */
export function reachOf({ gapMinutes, collisionBufferMinutes }: Rhythm): number {
  return Math.max(gapMinutes * minuteMs, collisionBufferMinutes * minuteMs, 2 * dayMs);
}

/** A distance longer than `reachOf` returns for any rhythm. */
export const longestReachMs = 8 * dayMs;
