import * as z from 'zod';
import { secondMs } from '../../kernel/clock.ts';
import type { PlatformError } from '../contract/errors.ts';
import type { PlatformAnswer } from '../contract/http.ts';
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
  advice: "The operator of this service has to apply for the Standard access of Pinterest's API.",
};
const notFetched: ErrorRule = {
  remedy: 'retry',
  retryAfterSeconds: 30,
  advice: 'Pinterest must be able to fetch the file: check that its address is public.',
};

/**
 * What each error asks for, by HTTP status, code and words: Pinterest does not publish its codes, and one of them has
 * several meanings. The first entry that fits decides.
 */
const errorRules: readonly {
  readonly status: number;
  readonly code?: number;
  readonly words?: RegExp;
  readonly rule: ErrorRule;
}[] = [
  // A feature or an app type: the token is good.
  { status: 401, code: 3, rule: appTier },
  { status: 401, rule: dead },
  { status: 403, words: /trial access/i, rule: appTier },
  {
    status: 403,
    words: /scope/i,
    rule: { ...dead, advice: 'Connect the account again and leave all permissions selected.' },
  },
  {
    status: 403,
    rule: {
      ...rejected,
      advice: 'Check that the account may still put Pins on the board, and that the board is not secret.',
    },
  },
  // An upload that is gone is made again by the next try.
  { status: 404, words: /\bmedia\b/i, rule: { remedy: 'retry', retryAfterSeconds: 5 } },
  {
    status: 404,
    words: /\b(board|section)\b/i,
    rule: { ...rejected, advice: "Choose another one: the account's `meta.boards` lists its boards." },
  },
  { status: 400, words: /reach the url|fetch/i, rule: notFetched },
  { status: 408, rule: unknown },
  { status: 409, rule: { remedy: 'retry', retryAfterSeconds: 5 } },
];

const ErrorBody = z.object({ code: z.number(), message: z.string() });

/** Pinterest's own error in an answer, whatever HTTP status it came with. */
export function readFailure(answer: PlatformAnswer): (PlatformFailure & { code: number }) | undefined {
  const result = ErrorBody.safeParse(answer.json);
  if (!result.success) return undefined;
  const { code, message } = result.data;
  return { code, platformCode: `${answer.status}/${code}`, message, status: answer.status };
}

/**
 * What an answer that is no success means.
 *
 * @param now epoch milliseconds
 */
export function pinterestError(answer: PlatformAnswer, now: number): PlatformError {
  const failure = readFailure(answer);
  if (failure === undefined) return unreadable(name, answer);
  const { status } = answer;
  if (status === 429) {
    const retryAfterSeconds = rateLimitSeconds(answer, now) ?? 60;
    return platformError(name, { ...failure, retryAfterSeconds }, { remedy: 'retry' });
  }
  // An error under a status of success says nothing about what was done.
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
 * `X-RateLimit-Reset` is documented in seconds; should it be a moment instead, the time until then. Some gateways add
 * the window behind a semicolon.
 */
function rateLimitSeconds(answer: PlatformAnswer, now: number): number | undefined {
  const value = Number.parseInt(answer.headers['x-ratelimit-reset'] ?? '', 10);
  if (Number.isNaN(value)) return retryAfterHeader(answer);
  const seconds = value > 1_000_000_000 ? value - Math.floor(now / secondMs) : value;
  return Math.max(1, seconds);
}

/** @throws PlatformError for everything but an answer of 2xx without an error in it */
export const requireSuccess = successCheck(readFailure, pinterestError);

/** S3's codes for a body that did not come whole or in time: another try may do better. */
const passingUploadCodes = new Set(['IncompleteBody', 'RequestTimeout', 'RequestTimeTooSkewed', 'SlowDown']);

/** What the answer of S3, in XML, to an upload means. Nothing of an upload is public, so all but mistakes is tried again. */
export function requireUploaded(answer: PlatformAnswer): void {
  const { status, text } = answer;
  if (status === 204 || status === 201) return;
  const platformCode = /<Code>([^<]{1,60})<\/Code>/.exec(text)?.[1];
  const message = /<Message>([^<]{1,500})<\/Message>/.exec(text)?.[1] ?? '';
  if (platformCode === undefined) throw unreadable(`${name}'s storage`, answer);
  const isMistake = status >= 400 && status < 500 && status !== 403 && !passingUploadCodes.has(platformCode);
  // 403: the permission is over. The next try gets another one.
  throw platformError(
    `${name}'s storage`,
    { platformCode, message, status },
    isMistake ? rejected : { remedy: 'retry' },
  );
}
