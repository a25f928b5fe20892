import { hourMs, minuteMs, toTimestamp } from '../kernel/clock.ts';
import type { Target } from '../targets/schemas.ts';

/** The commit that makes the first target live sets the chain off; what has not come by this long after was lost. */
const graceMs = 5 * minuteMs;

/** Whether anything became of a post that is long overdue is asked ever more rarely. */
const longestGapMs = 6 * hourMs;

/**
 * When the sweep first asks after the chain of a scheduled post.
 *
 * @param targets of the post, as planned
 * @returns a timestamp; `undefined` for a draft
 */
export function firstChainWake(targets: readonly Target[]): string | undefined {
  const times = targets.flatMap(({ status, scheduledFor }) =>
    status === 'scheduled' && scheduledFor !== undefined ? Date.parse(scheduledFor) : [],
  );
  return times.length > 0 ? toTimestamp(Math.min(...times) + graceMs) : undefined;
}

/**
 * When to ask again, where nothing is live yet: twice as late as now, as long as that is within hours.
 *
 * @param dueMs when the post was to go live, in epoch milliseconds
 * @param now epoch milliseconds
 */
export function nextChainWake(dueMs: number, now: number): string {
  return toTimestamp(now + Math.min(longestGapMs, Math.max(graceMs, now - dueMs)));
}
