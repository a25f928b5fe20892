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

/** The share by which a wait may differ from its gap, so that deliveries that failed together do not retry together. */
const jitterShare = 0.1;
/** The maximum time by which a receiver's `Retry-After` can postpone an attempt. */
const maxRetryAfterMs = dayMs;

/** The longest delay of an SQS message. The sweep handles longer waits. */
export const longestQueueDelayMs = 15 * minuteMs;
/**
 * Returns the wait before the next attempt.
 *
 * @param failures the number of failed attempts in this round, from 1
 * @param chance a random number in [0, 1)
 * @param retryAfterSeconds the receiver's `Retry-After`; it can make the wait longer, never shorter
 * @returns milliseconds; `undefined` after the last attempt
 */
export function retryWaitMs(
  failures: number,
  chance: number,
  retryAfterSeconds: number | undefined,
): number | undefined {
  const gapMs = retryGapsMs[failures - 1];
  if (gapMs === undefined) return undefined;
  const jitteredMs = gapMs * (1 + jitterShare * (2 * chance - 1));
  const askedMs = Math.min((retryAfterSeconds ?? 0) * secondMs, maxRetryAfterMs);
  return Math.round(Math.max(jitteredMs, askedMs));
}
