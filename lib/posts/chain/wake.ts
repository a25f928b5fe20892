import { hourMs, minuteMs, toTimestamp } from '../../kernel/clock.ts';
import type { Target } from '../../targets/schemas.ts';

/** The commit that makes the first target live sets the chain off; what has not come by this long after was lost. */
const graceMs = 5 * minuteMs;

/** Whether anything became of a post that is long overdue is asked ever more rarely. */
const longestGapMs = 6 * hourMs;

/** Where something is live, but its chain does not begin, that is tried this often at least. */
const longestTryGapMs = hourMs;

/**
 * When the sweep first asks after the chain of a scheduled post.
 *
 * @param targets of the post, as planned
 * @returns a timestamp; `undefined` for a draft
 */
export function firstChainWake(targets: readonly Target[]): string | undefined {
  const times = timesOf(targets);
  return times.length > 0 ? toTimestamp(Math.min(...times) + graceMs) : undefined;
}

/**
 * When to ask again, where nothing is live yet: soon after the next target is due, or, where all are, twice as late as
 * now, as long as that is within hours.
 *
 * @param targets of the post, as they are; one at least has not failed
 * @param now epoch milliseconds
 */
export function nextChainWake(targets: readonly Target[], now: number): string {
  const times = timesOf(targets);
  const next = Math.min(...times.filter((dueMs) => dueMs + graceMs > now)) + graceMs;
  if (next < Number.POSITIVE_INFINITY) return toTimestamp(next);
  const lateMs = times.length > 0 ? now - Math.max(...times) : 0;
  return toTimestamp(now + Math.min(longestGapMs, Math.max(graceMs, lateMs)));
}

/** When the targets are due that may still go live, in epoch milliseconds. */
function timesOf(targets: readonly Target[]): number[] {
  return targets.flatMap(({ status, scheduledFor }) =>
    (status === 'scheduled' || status === 'publishing') && scheduledFor !== undefined
      ? [Date.parse(scheduledFor)]
      : [],
  );
}

/** When to try again, where something is live since `liveMs` and steps wait all the same. */
export function nextChainTry(liveMs: number, now: number): string {
  return toTimestamp(now + Math.min(longestTryGapMs, Math.max(graceMs, now - liveMs)));
}

/** When to ask after a chain whose post is being retried now. */
export const chainWakeAfterRetry = (now: number): string => toTimestamp(now + graceMs);
