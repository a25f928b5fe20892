import type { Measurement } from '../metrics/measurements.ts';
import type { Target } from '../targets/schemas.ts';

/**
 * Returns the metrics of a committed change: the target went live (and how late), or it failed. Pure. Metrics are derived
 * from the commit, not at the platform call: a worker that crashes after its commit is counted too, and the publishing
 * function needs no code for metrics.
 *
 * @param before the target as it was; absent for a new one
 * @param after the target as it is; absent if it was deleted
 */
export function measurementsOf(before: Target | undefined, after: Target | undefined): Measurement[] {
  if (!after) return [];
  const { platform, publishedAt, scheduledFor } = after;
  if (publishedAt !== undefined && before?.publishedAt === undefined) {
    const live: Measurement = { name: 'DestinationsPublished', value: 1, platform };
    if (scheduledFor === undefined) return [live];
    // A target that waited for a daily limit or a pause is due when that ends.
    const { limitedUntil = scheduledFor, resumedAt = scheduledFor } = after;
    const dueMs = Math.max(...[scheduledFor, limitedUntil, resumedAt].map((time) => Date.parse(time)));
    const value = Math.max(0, Date.parse(publishedAt) - dueMs);
    return [live, { name: 'GoLiveLateness', value, platform }];
  }
  if (after.status === 'failed' && before?.status !== 'failed')
    return [{ name: 'DestinationsFailed', value: 1, platform }];
  return [];
}
