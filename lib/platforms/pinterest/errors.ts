import * as z from 'zod';
import { hourMs, secondMs } from '../../kernel/clock.ts';
import type { PlatformError } from '../contract/errors.ts';
import type { PlatformResponse } from '../contract/http.ts';
import {
  dead,
  type ErrorRule,
  type PlatformFailure,
  platformError,
  rejected,
  retryAfterHeader,
  successCheck,
  unknown,
  unreadable,
} from '../shared/error-table.ts';

const name = 'Pinterest';

const appTier: ErrorRule = {
  remedy: 'rejected',
  concerns: 'app',
  advice: "The operator of this service must apply for Standard access to Pinterest's API.",
};
const downloadFailed: ErrorRule = {
  remedy: 'retry',
  retryAfterSeconds: 30,
  advice: 'Pinterest must be able to download the file: check that its URL is public.',
};

/**
 * The error table, by HTTP status, code and message: Pinterest does not publish its codes, and one code has several
 * meanings. The first matching entry applies.
 */
const errorRules: readonly {
  readonly status: number;
  readonly code?: number;
  readonly words?: RegExp;
  readonly rule: ErrorRule;
}[] = [
  // The app may not use the feature; the token is valid.
  { status: 401, code: 3, rule: appTier },
  { status: 401, rule: dead },
  { status: 403, words: /trial access/i, rule: appTier },
  {
    status: 403,
    words: /scope/i,
    // The token is valid; the call needs a scope that it lacks.
    rule: {
      ...dead,
      concerns: 'feature',
      advice: 'Connect the account again and leave all permissions selected.',
    },
  },
  {
    status: 403,
    rule: {
      ...rejected,
      advice:
        'Check that the account may still add Pins to the board. For a secret board, it must have been allowed the secret boards.',
    },
  },
  // If the upload is gone, the next attempt repeats it.
  { status: 404, words: /\bmedia\b/i, rule: { remedy: 'retry', retryAfterSeconds: 5 } },
  {
    status: 404,
    words: /\b(board|section)\b/i,
    rule: { ...rejected, advice: 'Choose another one: `GET /v1/accounts/{id}/boards` lists the boards.' },
  },
  { status: 400, words: /reach the url|fetch/i, rule: downloadFailed },
  { status: 408, rule: unknown },
  { status: 409, rule: { remedy: 'retry', retryAfterSeconds: 5 } },
];

const ErrorBody = z.object({ code: z.number(), message: z.string() });

/** Reads Pinterest's error from a response, whatever the HTTP status. */
export function readFailure(response: PlatformResponse): (PlatformFailure & { code: number }) | undefined {
  const result = ErrorBody.safeParse(response.json);
  if (!result.success) return undefined;
  const { code, message } = result.data;
  return { code, platformCode: `${response.status}/${code}`, message, status: response.status };
}

/**
 * Returns the error for a failed response.
 *
 * @param now epoch milliseconds
 */
export function pinterestError(response: PlatformResponse, now: number): PlatformError {
  const failure = readFailure(response);
  if (failure === undefined) return unreadable(name, response);
  const { status } = response;
  if (status === 429) {
    const retryAfterSeconds = rateLimitSeconds(response, now) ?? 60;
    // Limits are per second, minute and day (https://developers.pinterest.com/docs/reference/rate-limits/).
    const isDailyLimit = retryAfterSeconds > hourMs / secondMs;
    return platformError(name, { ...failure, retryAfterSeconds }, { remedy: 'retry', isDailyLimit });
  }
  // An error with a success status, or a 5xx, does not say whether the call took effect.
  if (status < 400 || status >= 500) return platformError(name, failure, unknown);
  const entry = errorRules.find(
    (candidate) =>
      candidate.status === status &&
      (candidate.code === undefined || candidate.code === failure.code) &&
      (candidate.words === undefined || candidate.words.test(failure.message)),
  );
  return platformError(name, failure, entry?.rule ?? rejected);
}

/**
 * Returns the wait that `X-RateLimit-Reset` asks for. It is documented in seconds; an epoch time is accepted, too. Some
 * gateways append the window after a semicolon.
 */
function rateLimitSeconds(response: PlatformResponse, now: number): number | undefined {
  const value = Number.parseInt(response.headers['x-ratelimit-reset'] ?? '', 10);
  if (Number.isNaN(value)) return retryAfterHeader(response);
  const seconds = value > 1_000_000_000 ? value - Math.floor(now / secondMs) : value;
  return Math.max(1, seconds);
}

/**
 * Returns the response of a successful call.
 *
 * @throws PlatformError unless the response has a 2xx status and no error in its body
 */
export const requireSuccess = successCheck(readFailure, pinterestError);

/** S3's temporary errors, such as a body that arrived incompletely or too late. */
const temporaryUploadCodes = new Set([
  'IncompleteBody',
  'RequestTimeout',
  'RequestTimeTooSkewed',
  'SlowDown',
]);

/** Checks S3's response (XML) to an upload. @throws PlatformError `rejected` only for our own mistakes */
export function requireUploaded(response: PlatformResponse): void {
  const { status, text } = response;
  if (status === 204 || status === 201) return;
  const platformCode = /<Code>([^<]{1,60})<\/Code>/.exec(text)?.[1];
  const message = /<Message>([^<]{1,500})<\/Message>/.exec(text)?.[1] ?? '';
  if (platformCode === undefined) throw unreadable(`${name}'s storage`, response);
  const isMistake =
    status >= 400 && status < 500 && status !== 403 && !temporaryUploadCodes.has(platformCode);
  // 403: the form has expired. The next attempt gets a new one.
  throw platformError(
    `${name}'s storage`,
    { platformCode, message, status },
    isMistake ? rejected : { remedy: 'retry' },
  );
}
