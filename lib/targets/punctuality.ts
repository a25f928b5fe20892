import type { PunctualityCount } from '../overdue/repair-tasks.ts';
import type { Target } from './schemas.ts';
import { triesOf } from './timeline.ts';

/**
 * Returns the count for the workspace's punctuality if a change has made the target live. `undefined` for any other change, if
 * nobody has chosen its time, if only a person says that it is live, and if the lateness is not ours: a person has retried it, or it
 * waited past its due time for a limit of the platform or a pause. Pure.
 *
 * @param before the target as it was; absent for a new one
 */
export function punctualityCount(before: Target | undefined, after: Target): PunctualityCount | undefined {
  if (before?.publishedAt !== undefined || after.publishedAt === undefined) return undefined;
  const { workspaceId, postId, accountId, platform, isImmediate, verdict } = after;
  const { scheduledFor, calledAt, retriedAt, limitedUntil = '', resumedAt = '' } = after;
  if (scheduledFor === undefined || calledAt === undefined || isImmediate) return undefined;
  if (verdict?.outcome === 'live') return undefined;
  if (retriedAt !== undefined || limitedUntil > scheduledFor || resumedAt > scheduledFor) return undefined;
  const lateMs = lateMsOf(scheduledFor, calledAt);
  const tries = triesOf(after.timeline).at(-1) ?? 1;
  return { workspaceId, postId, accountId, platform, calledAt, lateMs, tries };
}

/** Returns the lateness of the call that made a target live, in milliseconds, 0 or more. Both are timestamps. */
export function lateMsOf(scheduledFor: string, calledAt: string): number {
  return Math.max(0, Date.parse(calledAt) - Date.parse(scheduledFor));
}
