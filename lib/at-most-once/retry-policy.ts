import { hourMs, minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { backoffMs } from '../kernel/retry.ts';
import { PlatformError } from '../platforms/contract/errors.ts';

/** How often the work has failed transiently, and since when. */
export interface RetryState {
  readonly failures: number;
  /** A timestamp; absent until the first failure. */
  readonly firstFailureAt?: string | undefined;
}

/** How long transient failures are retried, from the first one on. */
export const longestRetryMs = 6 * hourMs;

/**
 * How often a failure is retried quickly, which takes about an hour: a due post must go live soon after the platform
 * has recovered. After that, waits grow, so that the posts of a long outage leave the workers time for others.
 */
const quickRetries = 80;
const quickBackoff = { baseMs: 10 * secondMs, capMs: minuteMs };
const slowBackoff = { baseMs: minuteMs, capMs: 15 * minuteMs };
/** For a call that the platform has refused because there were too many, without saying how long to wait. */
const throttledBackoff = { baseMs: 10 * secondMs, capMs: 15 * minuteMs };

/** Whether transient failures have been retried for {@link longestRetryMs}. `now` is in epoch milliseconds. */
export function isWaitedOut({ firstFailureAt }: Pick<RetryState, 'firstFailureAt'>, now: number): boolean {
  return firstFailureAt !== undefined && now > Date.parse(firstFailureAt) + longestRetryMs;
}

/** What to do about a failed step. */
export type FailureDecision =
  | { readonly kind: 'retry'; readonly wakeMs: number }
  | { readonly kind: 'fail'; readonly reason: string; readonly account?: 'expired' | 'error' };

/**
 * Decides what to do, from the error's remedy alone. Pure. Any error but a `PlatformError` is ours, and is retried.
 *
 * @param now epoch milliseconds
 * @param chance a number in [0, 1)
 */
export function decideFailure(
  error: unknown,
  retries: RetryState,
  now: number,
  chance: number,
): FailureDecision {
  const failure = error instanceof PlatformError ? error : new PlatformError('retry', 'an error on our side');
  switch (failure.remedy) {
    case 'rejected':
      return { kind: 'fail', reason: failure.message };
    case 'reauthorise':
      return { kind: 'fail', reason: failure.message, account: 'expired' };
    case 'restricted':
      return { kind: 'fail', reason: failure.message, account: 'error' };
    case 'retry':
    case 'unknown':
      return decideRetry(failure, retries, now, chance);
  }
}

function decideRetry(
  failure: PlatformError,
  retries: RetryState,
  now: number,
  chance: number,
): FailureDecision {
  const firstFailureMs = retries.firstFailureAt === undefined ? now : Date.parse(retries.firstFailureAt);
  const lastMs = firstFailureMs + longestRetryMs;
  const askedMs = (failure.retryAfterSeconds ?? 0) * secondMs;
  if (now + askedMs > lastMs && askedMs > 0) {
    const until = toTimestamp(now + askedMs);
    return { kind: 'fail', reason: `${failure.message} (the platform asks to wait until ${until})` };
  }
  const waitMs = Math.max(askedMs, ownWaitMs(failure, retries.failures + 1, chance));
  if (now + waitMs > lastMs) return { kind: 'fail', reason: `${failure.message} (given up after 6 hours)` };
  return { kind: 'retry', wakeMs: now + waitMs };
}

/** The wait after a number of failures. Half of it is fixed, so that no retry is immediate; half is jitter. */
function ownWaitMs({ status }: PlatformError, failures: number, chance: number): number {
  const share = 0.5 + chance / 2;
  if (status === 429) return backoffMs(failures, throttledBackoff, share);
  return failures <= quickRetries
    ? backoffMs(failures, quickBackoff, share)
    : backoffMs(failures - quickRetries, slowBackoff, share);
}

/** The state after one more failure. @param now epoch milliseconds */
export function countFailure({ failures, firstFailureAt }: RetryState, now: number) {
  return { failures: failures + 1, firstFailureAt: firstFailureAt ?? toTimestamp(now) };
}
