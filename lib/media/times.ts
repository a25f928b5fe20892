import { dayMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import type { Media } from './schemas.ts';

/** The time from a file's arrival to the first check for published files that are no longer needed. */
export const keptMs = 30 * dayMs;

/** A time longer than the life of a request that read the file's record before it was marked and may store a post with it. */
export const removalSettlesMs = 60 * secondMs;

/**
 * Returns the time of the sweep's next check of a file that has just been accepted or rejected: soon if it has been
 * deleted meanwhile.
 *
 * @param now epoch milliseconds
 */
export function settledDueAt({ removedAt }: Pick<Media, 'removedAt'>, now: number): string {
  return toTimestamp(now + (removedAt === undefined ? keptMs : removalSettlesMs));
}
