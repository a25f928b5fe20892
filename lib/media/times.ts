import { dayMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import type { Media } from './schemas.ts';

/** Time from a file's arrival to the first check whether it was published and is no longer needed. */
export const keptMs = 30 * dayMs;

/** Longer than the lifetime of a request that read the file's record before it was marked and may store a post with it. */
export const removalSettlesMs = 60 * secondMs;

/**
 * When the sweep must check a file that has just been accepted or rejected: soon if it has been deleted meanwhile.
 *
 * @param now epoch milliseconds
 */
export function settledDueAt({ removedAt }: Pick<Media, 'removedAt'>, now: number): string {
  return toTimestamp(now + (removedAt === undefined ? keptMs : removalSettlesMs));
}
