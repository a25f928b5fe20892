import type { Measurement } from '../metrics/measurements.ts';
import type { Target } from '../targets/schemas.ts';

/**
 * Returns the lateness of a live target in milliseconds, never below 0: the clocks of two machines may differ. A target that waited
 * for a daily limit or a pause is due when that ends.
 *
 * @returns `undefined` if it is not live, if only a person says so, or if nobody has chosen its time
 */
export function latenessMs({
  publishedAt,
  scheduledFor,
  isImmediate,
  limitedUntil,
  resumedAt,
  verdict,
}: Target): number | undefined {
  if (publishedAt === undefined || scheduledFor === undefined || isImmediate) return undefined;
  if (verdict?.outcome === 'live') return undefined;
  const dueMs = [scheduledFor, limitedUntil, resumedAt].map((time) => Date.parse(time ?? scheduledFor));
  return Math.max(0, Date.parse(publishedAt) - Math.max(...dueMs));
}

/** Returns true if the change made the target live. */
export const goesLive = (before: Target | undefined, after: Target): boolean =>
  after.publishedAt !== undefined && before?.publishedAt === undefined;

/** Returns true if the change failed the target, wholly or in part. */
export const fails = (before: Target | undefined, after: Target): boolean =>
  hasFailed(after) && before?.status !== after.status;

const hasFailed = ({ status }: Target): boolean => status === 'failed' || status === 'partial';

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
  const { platform } = after;
  if (goesLive(before, after)) {
    const value = latenessMs(after);
    return [
      { name: 'DestinationsPublished', value: 1, platform },
      ...(value === undefined ? [] : [{ name: 'GoLiveLateness', value, platform } as const]),
    ];
  }
  return fails(before, after) ? [{ name: 'DestinationsFailed', value: 1, platform }] : [];
}
