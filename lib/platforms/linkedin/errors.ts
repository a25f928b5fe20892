import * as z from 'zod';
import { dayMs, secondMs } from '../../kernel/clock.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformResponse } from '../contract/http.ts';
import {
  dead,
  type ErrorRule,
  type PlatformFailure,
  platformError,
  rejected,
  retryAfterHeader,
  successCheck,
  unreadable,
} from '../shared/error-table.ts';

const name = 'LinkedIn';

const operator: ErrorRule = {
  remedy: 'retry',
  concerns: 'app',
  retryAfterSeconds: 900,
  advice: 'The operator of this service must set a version of the API that LinkedIn still serves.',
};

/** Error codes of the versioned API ("Error handling", Posts API). */
const byCode: Readonly<Record<string, ErrorRule>> = {
  EMPTY_ACCESS_TOKEN: dead,
  INVALID_ACCESS_TOKEN: dead,
  EXPIRED_ACCESS_TOKEN: dead,
  REVOKED_ACCESS_TOKEN: dead,
  // "Not enough permissions to access": this endpoint is meant. A token that is not valid is 401
  // (https://learn.microsoft.com/linkedin/shared/api-guide/concepts/error-handling).
  ACCESS_DENIED: {
    remedy: 'restricted',
    concerns: 'feature',
    advice: 'Check that the member who connected the account may still post for it, then connect it again.',
  },
  VERSION_MISSING: operator,
  NONEXISTENT_VERSION: operator,
  MEDIA_ASSET_WAITING_UPLOAD: { remedy: 'retry', retryAfterSeconds: 60 },
  MEDIA_ASSET_PROCESSING_FAILED: rejected,
  EXPIRED_UPLOAD_URL: { remedy: 'retry', retryAfterSeconds: 1 },
  CONFLICT: { remedy: 'retry', retryAfterSeconds: 5 },
  DUPLICATE_POST: {
    ...rejected,
    advice:
      'LinkedIn refuses the same text and media twice within a short time: change the text or post it later.',
  },
};

const ErrorBody = z.object({
  status: z.number().min(400),
  code: z.string().optional().catch(undefined),
  serviceErrorCode: z.number().optional().catch(undefined),
  message: z.string().catch(''),
  errorDetails: z
    .object({ inputErrors: z.array(z.object({ code: z.string() })) })
    .optional()
    .catch(undefined),
});

/** Reads LinkedIn's error from a response, whatever the HTTP status. */
function readFailure(response: PlatformResponse): PlatformFailure | undefined {
  const result = ErrorBody.safeParse(response.json);
  if (!result.success) return undefined;
  const { status, code, serviceErrorCode, message, errorDetails } = result.data;
  const isDuplicate = status === 422 && duplicateUrn(message) !== undefined;
  const named = errorDetails?.inputErrors[0]?.code ?? code ?? serviceErrorCode ?? status;
  return {
    platformCode: isDuplicate ? 'DUPLICATE_POST' : String(named),
    message,
    status,
    retryAfterSeconds: retryAfterHeader(response),
  };
}

/**
 * Returns the error for a failed response.
 *
 * @param now epoch milliseconds; needed because daily quotas are reset at midnight UTC
 */
export function linkedinError(response: PlatformResponse, now: number): PlatformError {
  const failure = readFailure(response);
  if (failure === undefined) return unreadable(name, response);
  const { status = response.status } = failure;
  if (status === 429) return rateLimited(failure, now);
  if (status >= 500) return platformError(name, failure, { remedy: 'unknown' });
  // LinkedIn has sent this temporarily for accounts that may post.
  if (status === 403 && /resource is forbidden/i.test(failure.message)) {
    return platformError(name, failure, { remedy: 'retry', retryAfterSeconds: 60 });
  }
  return platformError(name, failure, byCode[failure.platformCode] ?? (status === 401 ? dead : rejected));
}

/**
 * Returns the error for a rate limit. LinkedIn sends no `Retry-After`; only the message distinguishes the daily quota
 * from a short spike.
 */
function rateLimited(failure: PlatformFailure, now: number): PlatformError {
  const isDaily = /\bDAY\b/.test(failure.message);
  const retryAfterSeconds = failure.retryAfterSeconds ?? (isDaily ? secondsToUtcMidnight(now) : 180);
  const advice = isDaily
    ? "LinkedIn's daily quota is used up; LinkedIn resets it at midnight UTC."
    : undefined;
  return platformError(
    name,
    { ...failure, retryAfterSeconds },
    {
      remedy: 'retry',
      concerns: 'app',
      isDailyLimit: isDaily,
      ...(advice !== undefined && { advice }),
    },
  );
}

function secondsToUtcMidnight(now: number): number {
  return Math.ceil((dayMs - (now % dayMs)) / secondMs);
}

/**
 * Returns the response of a successful call.
 *
 * @throws PlatformError unless the response has a 2xx status and no error in its body
 */
export const requireSuccess = successCheck(readFailure, linkedinError);

/** Returns the existing post's URN if LinkedIn refused a post as a duplicate; otherwise undefined. */
export function duplicateOf(error: unknown): string | undefined {
  const isDuplicate = error instanceof PlatformError && error.platformCode === 'DUPLICATE_POST';
  return isDuplicate ? duplicateUrn(error.message) : undefined;
}

function duplicateUrn(message: string): string | undefined {
  return /duplicate of (urn:li:(?:share|ugcPost|activity):\d+)/i.exec(message)?.[1];
}
