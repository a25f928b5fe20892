import { hourMs, minuteMs, toTimestamp } from '../../kernel/clock.ts';
import type { Target } from '../../targets/schemas.ts';

/** The time after which the sweep starts a chain that the commit of the first live target should have started. */
const graceMs = 5 * minuteMs;

/** The longest wait between two checks while no target is live. The waits grow with the time since the post was due. */
const longestGapMs = 6 * hourMs;

/** The longest wait between two checks if a target is live but the chain has not started. */
const longestTryGapMs = hourMs;

/**
 * Returns the time of the sweep's first check of a scheduled post's chain.
 *
 * @param targets the post's targets as planned
 * @returns a timestamp; `undefined` for a draft
 */
export function firstChainWake(targets: readonly Target[]): string | undefined {
  const times = timesOf(targets);
  return times.length > 0 ? toTimestamp(Math.min(...times) + graceMs) : undefined;
}

/**
 * Returns the time of the next check if no target is live yet: soon after the next target is due. If all are overdue, waits again
 * for as long as the last one has been overdue, up to a limit.
 *
 * @param targets the post's current targets; at least one has not failed
 * @param now epoch milliseconds
 */
export function nextChainWake(targets: readonly Target[], now: number): string {
  const times = timesOf(targets);
  const next = Math.min(...times.filter((dueMs) => dueMs + graceMs > now)) + graceMs;
  if (next < Number.POSITIVE_INFINITY) return toTimestamp(next);
  const lateMs = times.length > 0 ? now - Math.max(...times) : 0;
  return toTimestamp(now + Math.min(longestGapMs, Math.max(graceMs, lateMs)));
}

/** Returns the due times of the targets that may still go live, in epoch milliseconds. */
function timesOf(targets: readonly Target[]): number[] {
  return targets.flatMap(({ status, scheduledFor }) =>
    (status === 'scheduled' || status === 'publishing') && scheduledFor !== undefined
      ? [Date.parse(scheduledFor)]
      : [],
  );
}

/** Returns the time of the next try if a target has been live since `liveMs` and steps still wait. */
export function nextChainTry(liveMs: number, now: number): string {
  return toTimestamp(now + Math.min(longestTryGapMs, Math.max(graceMs, now - liveMs)));
}

/** Returns the time of the next check of a chain if its post is being retried now. */
export const chainWakeAfterRetry = (now: number): string => toTimestamp(now + graceMs);
