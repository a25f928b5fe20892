import { dayMs, hourMs, minuteMs, secondMs } from '../../kernel/clock.ts';

/** The waits after the first, second, … failed attempt: eleven attempts over about two days. */
export const retryGapsMs: readonly number[] = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  hourMs,
  3 * hourMs,
  6 * hourMs,
  12 * hourMs,
  dayMs,
];

/** So far from its gap a wait may be, to either side: what failed together does not come back together. */
const jitterShare = 0.1;
/** No receiver puts an attempt off for longer. */
const longestRetryAfterMs = dayMs;

/** What a queue can hold a message back for; longer waits are the sweep's. */
export const longestQueueDelayMs = 15 * minuteMs;

/**
 * The wait before the next attempt.
 *
 * @param failures how often the delivery has failed in this round, from 1
 * @param chance a number in [0, 1)
 * @param retryAfterSeconds how long the receiver asks to be left alone; it makes the wait longer, never shorter
 * @returns milliseconds; `undefined` where that was the last attempt
 */
export function retryWaitMs(
  failures: number,
  chance: number,
  retryAfterSeconds: number | undefined,
): number | undefined {
  const gapMs = retryGapsMs[failures - 1];
  if (gapMs === undefined) return undefined;
  const jitteredMs = gapMs * (1 + jitterShare * (2 * chance - 1));
  const askedMs = Math.min((retryAfterSeconds ?? 0) * secondMs, longestRetryAfterMs);
  return Math.round(Math.max(jitteredMs, askedMs));
}
