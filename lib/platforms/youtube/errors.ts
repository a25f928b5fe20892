import { dayMs, secondMs } from '../../kernel/clock.ts';
import type { PlatformError } from '../contract/errors.ts';
import type { PlatformAnswer } from '../contract/http.ts';
import {
  dead,
  type ErrorRule,
  platformError,
  rejected,
  successCheck,
  unreadable,
} from '../shared/error-table.ts';
import { readGoogleError } from '../shared/google/errors.ts';
import { secondsToPacificMidnight } from '../shared/google/pacific-day.ts';

const busy: ErrorRule = { remedy: 'retry', retryAfterSeconds: 30 };
const accountTrouble: ErrorRule = {
  remedy: 'restricted',
  advice: 'Sign in to YouTube with this account and see what it asks.',
};

/** Reasons of the YouTube Data API ("Errors") and of Google's token endpoint, sorted by what is to be done. */
const byReason: Readonly<Record<string, ErrorRule>> = {
  invalid_grant: dead,
  authError: dead,
  authorizationRequired: dead,
  required: dead,
  UNAUTHENTICATED: dead,
  insufficientPermissions: {
    ...dead,
    advice: 'Connect the account again and leave all permissions selected.',
  },
  youtubeSignupRequired: {
    remedy: 'restricted',
    advice: 'This Google account has no YouTube channel: create one, then connect again.',
  },
  rateLimitExceeded: busy,
  userRateLimitExceeded: busy,
  RESOURCE_EXHAUSTED: busy,
  uploadRateLimitExceeded: { remedy: 'retry', retryAfterSeconds: 300 },
  uploadLimitExceeded: {
    remedy: 'retry',
    retryAfterSeconds: dayMs / secondMs,
    advice: 'The channel has reached the number of uploads that YouTube allows it in a day.',
  },
  forbidden: {
    ...rejected,
    advice:
      "The Google account that was connected may not upload to this channel: connect it again as the channel's owner.",
  },
  forbiddenPrivacySetting: rejected,
  forbiddenLicenseSetting: rejected,
  accessNotConfigured: {
    ...rejected,
    advice: 'The operator of this service has to enable the YouTube Data API.',
  },
  channelClosed: accountTrouble,
  channelSuspended: accountTrouble,
  authenticatedUserAccountClosed: accountTrouble,
  authenticatedUserAccountSuspended: accountTrouble,
  invalidTitle: rejected,
  invalidDescription: rejected,
  invalidTags: rejected,
  invalidCategoryId: rejected,
  invalidPublishAt: rejected,
  invalidVideoMetadata: rejected,
  invalidRecordingDetails: rejected,
  invalidFilename: rejected,
  mediaBodyRequired: rejected,
  defaultLanguageNotSet: rejected,
  badContent: rejected,
  invalidImage: rejected,
  uploadTooLarge: rejected,
  videoNotFound: rejected,
  invalid_client: rejected,
  invalid_request: rejected,
  redirect_uri_mismatch: rejected,
  unauthorized_client: rejected,
};

const quotaReasons = new Set(['quotaExceeded', 'dailyLimitExceeded']);

/**
 * What an answer that is no success means.
 *
 * @param now epoch milliseconds; the daily quota ends at midnight Pacific time
 */
export function youtubeError(answer: PlatformAnswer, now: number): PlatformError {
  const failure = readGoogleError(answer);
  if (failure === undefined) return unreadable('YouTube', answer);
  if (quotaReasons.has(failure.platformCode)) {
    const advice =
      'The daily quota of this service at YouTube is used up; it begins anew at midnight Pacific time.';
    const retryAfterSeconds = secondsToPacificMidnight(now);
    return platformError('YouTube', { ...failure, retryAfterSeconds }, { remedy: 'retry', advice });
  }
  const rule = byReason[failure.platformCode];
  if (rule) return platformError('YouTube', failure, rule);
  if (answer.status === 401) return platformError('YouTube', failure, dead);
  if (answer.status === 429) return platformError('YouTube', failure, busy);
  const isServerSide = answer.status >= 500 || failure.platformCode === 'backendError';
  return platformError('YouTube', failure, {
    remedy: 'unknown',
    ifAbsent: isServerSide ? 'retry' : 'rejected',
  });
}

/** @throws PlatformError for everything but an answer of 2xx without an error in it */
export const requireSuccess = successCheck(readGoogleError, youtubeError);
