import { PlatformError, type Remedy } from '../contract/errors.ts';
import type { PlatformAnswer } from '../contract/http.ts';
import { describeBody, quote } from './json.ts';

/** What one of a platform's errors means for the caller. A platform's decision table is a record of these. */
export interface ErrorRule {
  readonly remedy: Remedy;
  readonly ifAbsent?: 'retry' | 'rejected';
  /** Where the answer itself names no time. */
  readonly retryAfterSeconds?: number;
  /** What a person can do, where the platform's own words do not tell. */
  readonly advice?: string;
}

export const dead: ErrorRule = { remedy: 'reauthorise' };
export const rejected: ErrorRule = { remedy: 'rejected' };
export const unknown: ErrorRule = { remedy: 'unknown' };

/** An error as a platform worded it. */
export interface PlatformFailure {
  /** Such as `9004/2207052` or `quotaExceeded`. */
  readonly platformCode: string;
  readonly message: string;
  readonly status?: number;
  readonly retryAfterSeconds?: number | undefined;
}

/** @param platform its name as people know it */
export function platformError(platform: string, failure: PlatformFailure, rule: ErrorRule): PlatformError {
  const { platformCode, message, status } = failure;
  const advice = rule.advice === undefined ? '' : ` ${rule.advice}`;
  return new PlatformError(
    rule.remedy,
    `${platform}: ${quote(message) || 'no reason given'} (${platformCode})${advice}`,
    {
      status,
      platformCode,
      ifAbsent: rule.ifAbsent,
      retryAfterSeconds:
        rule.remedy === 'retry' || rule.remedy === 'unknown'
          ? (failure.retryAfterSeconds ?? rule.retryAfterSeconds)
          : undefined,
    },
  );
}

/**
 * For an answer that is no success and no error in the platform's own shape: a page of a proxy, a redirect, nothing.
 * Such an answer says nothing about the request, so its outcome is unknown; only 429 is a refusal whatever the body.
 */
export function unreadable(platform: string, answer: PlatformAnswer): PlatformError {
  const message = `${platform} answered ${describeBody(answer)} to ${answer.call}`;
  const remedy = answer.status === 429 ? 'retry' : 'unknown';
  return new PlatformError(remedy, message, {
    status: answer.status,
    retryAfterSeconds: retryAfterHeader(answer),
  });
}

/** `Retry-After` in seconds (RFC 9110, section 10.2.3); platforms send no dates in it. */
export function retryAfterHeader({ headers }: PlatformAnswer): number | undefined {
  const value = headers['retry-after'] ?? '';
  return /^\d{1,6}$/.test(value) ? Number(value) : undefined;
}

/**
 * Makes the check of a platform's answers.
 *
 * @param readFailure the platform's own error in an answer, whatever HTTP status it came with
 * @param errorOf what an answer that is no success means
 * @returns a function that throws that error for everything but an answer of 2xx without an error in it
 */
export function successCheck<Rest extends readonly unknown[]>(
  readFailure: (answer: PlatformAnswer) => PlatformFailure | undefined,
  errorOf: (answer: PlatformAnswer, ...rest: Rest) => PlatformError,
) {
  return (answer: PlatformAnswer, ...rest: Rest): PlatformAnswer => {
    const isSuccess = answer.status >= 200 && answer.status < 300 && readFailure(answer) === undefined;
    if (isSuccess) return answer;
    throw errorOf(answer, ...rest);
  };
}

/** @param status of the answer, such as 404 */
export function hasStatus(error: unknown, status: number): error is PlatformError {
  return error instanceof PlatformError && error.status === status;
}
