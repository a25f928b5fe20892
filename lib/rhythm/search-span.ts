import { dayMs, minuteMs } from '../kernel/clock.ts';
import type { Rhythm } from './schemas.ts';

/** How far ahead to search for a slot. */
export const horizonMs = 90 * dayMs;

/** How far away an entry can be and still matter: because of gap or buffer, or because it is on the same local day. */
export function reachOf({ gapMinutes, collisionBufferMinutes }: Rhythm): number {
  return Math.max(gapMinutes * minuteMs, collisionBufferMinutes * minuteMs, 2 * dayMs);
}

/** More than `reachOf` returns for any rhythm. */
export const longestReachMs = 8 * dayMs;
