import type { Measurement } from '../metrics/measurements.ts';
import type { Target } from '../targets/schemas.ts';

/**
 * What a committed change of a target says of how well the service does: that it went live, how late, or that it failed.
 * Pure. It is taken from the commit and not where the platform is called, so that a worker that dies after its commit is
 * counted as well, and publishing loads nothing for it.
 *
 * @param before the target as it was; absent for a new one
 * @param after the target as it is; absent where it was deleted
 */
export function measurementsOf(before: Target | undefined, after: Target | undefined): Measurement[] {
  if (!after) return [];
  const { platform, publishedAt, scheduledFor } = after;
  if (publishedAt !== undefined && before?.publishedAt === undefined) {
    const live: Measurement = { name: 'DestinationsPublished', value: 1, platform };
    if (scheduledFor === undefined) return [live];
    const value = Math.max(0, Date.parse(publishedAt) - Date.parse(scheduledFor));
    return [live, { name: 'GoLiveLateness', value, platform }];
  }
  if (after.status === 'failed' && before?.status !== 'failed')
    return [{ name: 'DestinationsFailed', value: 1, platform }];
  return [];
}
