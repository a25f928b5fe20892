import * as z from 'zod';
import { dayMs, secondMs } from '../../kernel/clock.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformAnswer } from '../contract/http.ts';
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
  retryAfterSeconds: 900,
  advice: 'The operator of this service has to set a version of the API that LinkedIn still serves.',
};

/** Codes of the versioned API ("Error handling", Posts API), sorted by what is to be done. */
const byCode: Readonly<Record<string, ErrorRule>> = {
  EMPTY_ACCESS_TOKEN: dead,
  INVALID_ACCESS_TOKEN: dead,
  EXPIRED_ACCESS_TOKEN: dead,
  REVOKED_ACCESS_TOKEN: dead,
  ACCESS_DENIED: {
    remedy: 'restricted',
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

/** LinkedIn's own error in an answer, whatever HTTP status it came with. */
function readFailure(answer: PlatformAnswer): PlatformFailure | undefined {
  const result = ErrorBody.safeParse(answer.json);
  if (!result.success) return undefined;
  const { status, code, serviceErrorCode, message, errorDetails } = result.data;
  const isDuplicate = status === 422 && duplicateUrn(message) !== undefined;
  const named = errorDetails?.inputErrors[0]?.code ?? code ?? serviceErrorCode ?? status;
  return {
    platformCode: isDuplicate ? 'DUPLICATE_POST' : String(named),
    message,
    status,
    retryAfterSeconds: retryAfterHeader(answer),
  };
}

/**
 * What an answer that is no success means.
 *
 * @param now epoch milliseconds; daily quotas begin anew at midnight UTC
 */
export function linkedinError(answer: PlatformAnswer, now: number): PlatformError {
  const failure = readFailure(answer);
  if (failure === undefined) return unreadable(name, answer);
  const { status = answer.status } = failure;
  if (status === 429) return rateLimited(failure, now);
  if (status >= 500) return platformError(name, failure, { remedy: 'unknown' });
  // Seen for a while on posts of accounts that may post.
  if (status === 403 && /resource is forbidden/i.test(failure.message)) {
    return platformError(name, failure, { remedy: 'retry', retryAfterSeconds: 60 });
  }
  return platformError(name, failure, byCode[failure.platformCode] ?? (status === 401 ? dead : rejected));
}

/** LinkedIn sends no `Retry-After`: the message tells a day's quota from a short spike. */
function rateLimited(failure: PlatformFailure, now: number): PlatformError {
  const isDaily = /\bDAY\b/.test(failure.message);
  const retryAfterSeconds = failure.retryAfterSeconds ?? (isDaily ? secondsToUtcMidnight(now) : 180);
  const advice = isDaily ? "LinkedIn's daily quota is used up; it begins anew at midnight UTC." : undefined;
  return platformError(
    name,
    { ...failure, retryAfterSeconds },
    { remedy: 'retry', ...(advice !== undefined && { advice }) },
  );
}

function secondsToUtcMidnight(now: number): number {
  return Math.ceil((dayMs - (now % dayMs)) / secondMs);
}

/** @throws PlatformError for everything but an answer of 2xx without an error in it */
export const requireSuccess = successCheck(readFailure, linkedinError);

/** The post that LinkedIn takes this one for a duplicate of, where that is why it refused. */
export function duplicateOf(error: unknown): string | undefined {
  const isDuplicate = error instanceof PlatformError && error.platformCode === 'DUPLICATE_POST';
  return isDuplicate ? duplicateUrn(error.message) : undefined;
}

function duplicateUrn(message: string): string | undefined {
  return /duplicate of (urn:li:(?:share|ugcPost|activity):\d+)/i.exec(message)?.[1];
}
