import { type Concern, PlatformError, type Remedy } from '../contract/errors.ts';
import type { PlatformResponse } from '../contract/http.ts';
import { describeBody, quote } from './json.ts';

/**
 * The handling of one of a platform's errors. A platform's error table is a record of these, by error code. A rule that
 * could mark the account must say whether it concerns the account as a whole.
 */
export type ErrorRule = CommonRule &
  (
    | { readonly remedy: 'reauthorise' | 'restricted'; readonly concerns: Concern }
    | { readonly remedy: Exclude<Remedy, 'reauthorise' | 'restricted'>; readonly concerns?: Concern }
  );

interface CommonRule {
  /** True for a daily limit; only with `retry`: see `PlatformError`. */
  readonly isDailyLimit?: boolean;
  readonly ifAbsent?: 'retry' | 'rejected';
  /** The wait if the response itself names none. */
  readonly retryAfterSeconds?: number;
  /** Advice for a person, if the platform's message gives none. */
  readonly advice?: string;
}

export const dead = { remedy: 'reauthorise', concerns: 'account' } as const satisfies ErrorRule;
export const rejected: ErrorRule = { remedy: 'rejected' };
export const unknown: ErrorRule = { remedy: 'unknown' };

/** An error as the platform reported it. */
export interface PlatformFailure {
  /** The platform's own code, such as `9004/2207052` or `quotaExceeded`. */
  readonly platformCode: string;
  readonly message: string;
  readonly status?: number;
  readonly retryAfterSeconds?: number | undefined;
}

/** Turns a platform's failure into a `PlatformError` by its rule. @param platform its display name */
export function platformError(platform: string, failure: PlatformFailure, rule: ErrorRule): PlatformError {
  const { platformCode, message, status } = failure;
  const advice = rule.advice === undefined ? '' : ` ${rule.advice}`;
  return new PlatformError(
    rule.remedy,
    `${platform}: ${quote(message) || 'no reason given'} (${platformCode})${advice}`,
    {
      concerns: rule.concerns,
      isDailyLimit: rule.isDailyLimit,
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
 * Returns the error for a response that is neither a success nor an error in the platform's format, such as a proxy's
 * page, a redirect or an empty body. Such a response leaves the outcome unknown; only 429 is a refusal whatever its body.
 */
export function unreadable(platform: string, response: PlatformResponse): PlatformError {
  const message = `${platform} answered ${describeBody(response)} to ${response.call}`;
  const remedy = response.status === 429 ? 'retry' : 'unknown';
  return new PlatformError(remedy, message, {
    status: response.status,
    retryAfterSeconds: retryAfterHeader(response),
  });
}

/** Reads the seconds of `Retry-After` (RFC 9110, section 10.2.3). Ignores its date form, which no platform sends. */
export function retryAfterHeader({ headers }: PlatformResponse): number | undefined {
  const value = headers['retry-after'] ?? '';
  return /^\d{1,6}$/.test(value) ? Number(value) : undefined;
}

/**
 * Creates a platform's check of its responses.
 *
 * @param readFailure reads the platform's error from a response, whatever its HTTP status
 * @param errorOf the error to throw for a failed response
 * @returns a function that throws that error unless the response has a 2xx status and no error in its body
 */
export function successCheck<Rest extends readonly unknown[]>(
  readFailure: (response: PlatformResponse) => PlatformFailure | undefined,
  errorOf: (response: PlatformResponse, ...rest: Rest) => PlatformError,
) {
  return (response: PlatformResponse, ...rest: Rest): PlatformResponse => {
    const isSuccess = response.status >= 200 && response.status < 300 && readFailure(response) === undefined;
    if (isSuccess) return response;
    throw errorOf(response, ...rest);
  };
}

/** Returns true if a platform responded with this HTTP status, such as 404. */
export function hasStatus(error: unknown, status: number): error is PlatformError {
  return error instanceof PlatformError && error.status === status;
}
