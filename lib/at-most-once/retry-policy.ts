import { hourMs, minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { backoffMs } from '../kernel/retry.ts';
import { isAboutAccount, PlatformError } from '../platforms/contract/errors.ts';

/** The number of transient failures of some work, and the time of the first. */
export interface RetryState {
  readonly failures: number;
  /** The time of the first failure, as a timestamp; absent until then. */
  readonly firstFailureAt?: string | undefined;
  /** The time at which the work first had to wait for a limit of the platform to end; absent if it never had to. */
  readonly limitedSince?: string | undefined;
}

/** The choice between waiting and failing if a limit ends within a day. Absent for work that makes no sense a day later. */
export type OnQuota = 'wait' | 'fail';

/** The time for which transient failures are retried, from the first one on. */
export const longestRetryMs = 6 * hourMs;

/**
 * The time for which work waits for limits of the platform. A daily limit ends within 24 hours; a day on which clocks
 * go back, as at YouTube, has 25.
 */
export const longestLimitMs = 25 * hourMs;

/** The wait for a daily limit with an unknown end, because it counts the last 24 hours. */
const unknownEndMs = hourMs;

/** The time after its end over which work that waits for the same limit spreads; at most a quarter of the wait. */
const limitSpreadMs = 10 * minuteMs;

/** The longest wait that is only a distance between two tries. A longer one ends with a limit of the platform. */
const longestBackoffMs = 15 * minuteMs;

/**
 * The number of quick retries, which take about an hour: a due post must go live soon after the platform has recovered.
 * After that, waits grow, so that the posts of a long outage leave the workers time for others.
 */
const quickRetries = 80;
const quickBackoff = { baseMs: 10 * secondMs, capMs: minuteMs };
const slowBackoff = { baseMs: minuteMs, capMs: longestBackoffMs };
/** The backoff for a call that the platform refused because there were too many, without saying how long to wait. */
const throttledBackoff = { baseMs: 10 * secondMs, capMs: longestBackoffMs };

/**
 * Returns true if a wait is longer than any between quick retries, so that the platform has asked for it.
 *
 * @param failures the number of failures that were counted, with the last one
 */
export const isAskedWait = (waitMs: number, failures: number): boolean =>
  failures <= quickRetries && waitMs > quickBackoff.capMs + secondMs;

/** Returns true if transient failures have been retried for {@link longestRetryMs}. `now` is in epoch milliseconds. */
export function isWaitedOut({ firstFailureAt }: Pick<RetryState, 'firstFailureAt'>, now: number): boolean {
  return firstFailureAt !== undefined && now > Date.parse(firstFailureAt) + longestRetryMs;
}

/** The decision about a failed step. */
export type FailureDecision =
  /** @property limitEndsMs the end of the limit that the work waits for, in epoch milliseconds; such a wait is not a failure */
  | { readonly kind: 'retry'; readonly wakeMs: number; readonly limitEndsMs?: number }
  /** @property account the account's new status; absent if the error says nothing about the account */
  | { readonly kind: 'fail'; readonly reason: string; readonly account?: 'expired' | 'error' };

/**
 * Decides from the error alone. Pure. Any error but a `PlatformError` is ours, and is retried.
 *
 * @param now epoch milliseconds
 * @param chance a number in [0, 1)
 * @param onQuota absent: a daily limit is treated as any other wait that the platform asks for
 */
export function decideFailure(
  error: unknown,
  retries: RetryState,
  now: number,
  chance: number,
  onQuota?: OnQuota,
): FailureDecision {
  const failure = error instanceof PlatformError ? error : new PlatformError('retry', 'an error on our side');
  switch (failure.remedy) {
    case 'rejected':
      return { kind: 'fail', reason: failure.message };
    case 'reauthorise':
    case 'restricted': {
      const account = failure.remedy === 'reauthorise' ? 'expired' : 'error';
      return { kind: 'fail', reason: failure.message, ...(isAboutAccount(failure) && { account }) };
    }
    case 'retry':
    case 'unknown':
      return (
        decideLimit(failure, retries, now, chance, onQuota) ?? decideRetry(failure, retries, now, chance)
      );
  }
}

/**
 * Decides about a limit of the platform that ends within a day: a daily one, or one of more than an hour that ends after the
 * time for which failures are retried. `undefined` if the failure is not such a limit, or the work has waited long enough.
 */
function decideLimit(
  { remedy, message, isDailyLimit, retryAfterSeconds }: PlatformError,
  retries: RetryState,
  now: number,
  chance: number,
  onQuota: OnQuota | undefined,
): FailureDecision | undefined {
  if (onQuota === undefined || remedy !== 'retry') return undefined;
  const waitMs = retryAfterSeconds === undefined ? unknownEndMs : retryAfterSeconds * secondMs;
  const endsMs = now + waitMs;
  const isLong =
    waitMs > unknownEndMs &&
    isWaitedOut({ firstFailureAt: retries.firstFailureAt ?? toTimestamp(now) }, endsMs);
  if (!isDailyLimit && !isLong) return undefined;
  if (onQuota === 'fail')
    return { kind: 'fail', reason: `${message} (${untilText(endsMs)}, and \`onQuota\` is \`fail\`)` };
  const sinceMs = retries.limitedSince === undefined ? now : Date.parse(retries.limitedSince);
  if (endsMs > sinceMs + longestLimitMs) return { kind: 'fail', reason: `${message} (${untilText(endsMs)})` };
  return {
    kind: 'retry',
    wakeMs: endsMs + Math.ceil(chance * Math.min(limitSpreadMs, waitMs / 4)),
    limitEndsMs: endsMs,
  };
}

const untilText = (endsMs: number): string => `the platform asks to wait until ${toTimestamp(endsMs)}`;

function decideRetry(
  failure: PlatformError,
  retries: RetryState,
  now: number,
  chance: number,
): FailureDecision {
  const firstFailureMs = retries.firstFailureAt === undefined ? now : Date.parse(retries.firstFailureAt);
  const lastMs = firstFailureMs + longestRetryMs;
  const askedMs = (failure.retryAfterSeconds ?? 0) * secondMs;
  const waitMs = Math.max(askedMs, ownWaitMs(failure, retries.failures + 1, chance));
  if (now + waitMs > lastMs) {
    const why = askedMs > longestBackoffMs ? untilText(now + askedMs) : 'given up after 6 hours';
    return { kind: 'fail', reason: `${failure.message} (${why})` };
  }
  return { kind: 'retry', wakeMs: now + waitMs };
}

/** Returns the wait after a number of failures. Half of it is fixed, so that no retry is immediate; half is jitter. */
function ownWaitMs({ status }: PlatformError, failures: number, chance: number): number {
  const share = 0.5 + chance / 2;
  if (status === 429) return backoffMs(failures, throttledBackoff, share);
  return failures <= quickRetries
    ? backoffMs(failures, quickBackoff, share)
    : backoffMs(failures - quickRetries, slowBackoff, share);
}

/** Returns the state after one more failure. @param now epoch milliseconds */
export function countFailure({ failures, firstFailureAt }: RetryState, now: number) {
  return { failures: failures + 1, firstFailureAt: firstFailureAt ?? toTimestamp(now) };
}

/**
 * Returns the state of work that waits for a limit. The wait is not a failure: retries that follow have their full time.
 *
 * @param now epoch milliseconds
 * @param limitEndsMs the end of the limit, in epoch milliseconds
 */
export function waitForLimit({ limitedSince }: RetryState, now: number, limitEndsMs: number) {
  return {
    failures: 0,
    firstFailureAt: null,
    limitedSince: limitedSince ?? toTimestamp(now),
    limitedUntil: toTimestamp(limitEndsMs),
  };
}
