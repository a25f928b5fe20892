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
  const { platform, publishedAt } = after;
  if (publishedAt !== undefined && before?.publishedAt === undefined) {
    const live: Measurement = { name: 'DestinationsPublished', value: 1, platform };
    const value = latenessMsOf(after);
    return value === undefined ? [live] : [live, { name: 'GoLiveLateness', value, platform }];
  }
  if (after.status === 'failed' && before?.status !== 'failed')
    return [{ name: 'DestinationsFailed', value: 1, platform }];
  return [];
}

/** How long after its due time a target went live, in milliseconds; `undefined` if it did not, or had no due time. Pure. */
export function latenessMsOf({
  publishedAt,
  scheduledFor,
  limitedUntil = scheduledFor,
  resumedAt = scheduledFor,
}: Target): number | undefined {
  if (publishedAt === undefined || scheduledFor === undefined) return undefined;
  // A target that waited for a daily limit or a pause is due when that ends.
  const times = [scheduledFor, limitedUntil, resumedAt].map((time) => Date.parse(time ?? scheduledFor));
  return Math.max(0, Date.parse(publishedAt) - Math.max(...times));
}
