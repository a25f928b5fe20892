import * as z from 'zod';
import { dayMs, secondMs } from '../../kernel/clock.ts';
import { endOfDayMs } from '../../kernel/time-zone.ts';
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

const busy: ErrorRule = { remedy: 'retry', retryAfterSeconds: 30 };
const accountTrouble: ErrorRule = {
  remedy: 'restricted',
  concerns: 'account',
  advice: 'Sign in to YouTube with this account and follow its instructions.',
};

/** Error reasons of the YouTube Data API ("Errors") and error codes of Google's token endpoint. */
const byReason: Readonly<Record<string, ErrorRule>> = {
  invalid_grant: dead,
  authError: dead,
  authorizationRequired: dead,
  required: dead,
  UNAUTHENTICATED: dead,
  // The token is valid; the call needs a scope that it lacks (https://developers.google.com/youtube/v3/docs/errors).
  insufficientPermissions: {
    ...dead,
    concerns: 'feature',
    advice: 'Connect the account again and leave all permissions selected.',
  },
  youtubeSignupRequired: {
    remedy: 'restricted',
    concerns: 'account',
    advice: 'This Google account has no YouTube channel: create one, then connect again.',
  },
  rateLimitExceeded: busy,
  userRateLimitExceeded: busy,
  RESOURCE_EXHAUSTED: busy,
  uploadRateLimitExceeded: { remedy: 'retry', retryAfterSeconds: 300 },
  uploadLimitExceeded: {
    remedy: 'retry',
    concerns: 'feature',
    isDailyLimit: true,
    retryAfterSeconds: dayMs / secondMs,
    advice: 'The channel has reached the number of uploads that YouTube allows per day.',
  },
  forbidden: {
    ...rejected,
    advice:
      'The connected Google account may not do this on the channel: if it does not own the channel, connect it again as its owner.',
  },
  forbiddenPrivacySetting: rejected,
  forbiddenLicenseSetting: rejected,
  accessNotConfigured: {
    ...rejected,
    concerns: 'app',
    advice: 'The operator of this service must enable the YouTube Data API.',
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
  // "Precondition check failed." https://developers.google.com/youtube/v3/docs/core_errors
  failedPrecondition: {
    ...rejected,
    advice: 'YouTube does not say why; check that the channel may upload such videos.',
  },
  // https://developers.google.com/youtube/v3/docs/thumbnails/set#errors, and what others have seen there
  invalidImage: rejected,
  imageFormatUnsupported: rejected,
  imageTooTall: rejected,
  imageTooWide: rejected,
  uploadTooLarge: rejected,
  videoNotFound: rejected,
  playlistNotFound: rejected,
  // https://developers.google.com/youtube/v3/docs/playlistItems/insert#errors
  playlistContainsMaximumNumberOfVideos: rejected,
  playlistItemsNotAccessible: rejected,
  playlistForbidden: rejected,
  playlistOperationUnsupported: rejected,
  videoAlreadyInAnotherSeriesPlaylist: rejected,
  videoAlreadyInPlaylist: rejected,
  // https://developers.google.com/youtube/v3/docs/captions/insert#errors
  captionExists: rejected,
  contentRequired: rejected,
  invalidMetadata: rejected,
  nameTooLong: rejected,
  invalidResourceType: rejected,
  // https://developers.google.com/youtube/v3/docs/commentThreads/insert#errors, .../commentThreads/list#errors
  commentsDisabled: rejected,
  ineligibleAccount: rejected,
  commentTextRequired: rejected,
  commentTextTooLong: rejected,
  invalidCommentThreadMetadata: rejected,
  channelNotFound: rejected,
  invalid_client: rejected,
  invalid_request: rejected,
  redirect_uri_mismatch: rejected,
  unauthorized_client: rejected,
};

const quotaReasons = new Set(['quotaExceeded', 'dailyLimitExceeded']);

/**
 * Returns true if a refusal is about a daily quota. Uploads have their own since 2026. Its refusal has the reason of a
 * short burst; only the message names the limit, such as 'Video Uploads per day'.
 * https://github.com/googleapis/google-api-python-client/issues/2753
 */
function isDailyQuota({ platformCode, message }: PlatformFailure): boolean {
  if (quotaReasons.has(platformCode)) return true;
  return byReason[platformCode] === busy && /\blimit '[^']*\bper day'/i.test(message);
}

/**
 * Returns the error for a failed response.
 *
 * @param now epoch milliseconds; needed because the daily quota is reset at midnight Pacific time
 */
export function youtubeError(response: PlatformResponse, now: number): PlatformError {
  const failure = readGoogleError(response);
  if (failure === undefined) return unreadable('YouTube', response);
  if (isDailyQuota(failure)) {
    const advice =
      "This service's daily quota at YouTube is used up; YouTube resets it at midnight Pacific time.";
    const retryAfterSeconds = secondsToPacificMidnight(now);
    return platformError(
      'YouTube',
      { ...failure, retryAfterSeconds },
      { remedy: 'retry', concerns: 'app', isDailyLimit: true, advice },
    );
  }
  const rule = byReason[failure.platformCode];
  if (rule) return platformError('YouTube', failure, rule);
  if (response.status === 401) return platformError('YouTube', failure, dead);
  if (response.status === 429) return platformError('YouTube', failure, busy);
  const isServerSide = response.status >= 500 || failure.platformCode === 'backendError';
  return platformError('YouTube', failure, {
    remedy: 'unknown',
    ifAbsent: isServerSide ? 'retry' : 'rejected',
  });
}

/**
 * Returns the seconds until the next midnight Pacific time, when Google resets its daily quotas.
 *
 * @param now epoch milliseconds
 */
export function secondsToPacificMidnight(now: number): number {
  return Math.ceil((endOfDayMs('America/Los_Angeles', now) - now) / secondMs);
}

const ApiError = z.object({
  error: z.object({
    message: z.string().catch(''),
    errors: z.array(z.object({ reason: z.string(), message: z.string().catch('') })).catch([]),
    status: z.string().optional().catch(undefined),
  }),
});

/** An error of the token endpoint, which has a format of its own (RFC 6749, section 5.2). */
const OAuthError = z.object({ error: z.string(), error_description: z.string().catch('') });

/** Reads the error from a Google response; its `platformCode` is `errors[0].reason`. Undefined if there is no error. */
export function readGoogleError(response: PlatformResponse): PlatformFailure | undefined {
  const common = { status: response.status, retryAfterSeconds: retryAfterHeader(response) };
  const api = ApiError.safeParse(response.json);
  if (api.success) {
    const { message, errors, status } = api.data.error;
    const [first] = errors;
    return {
      ...common,
      platformCode: first?.reason ?? status ?? String(response.status),
      message: message || first?.message || '',
    };
  }
  const oauth = OAuthError.safeParse(response.json);
  if (!oauth.success) return undefined;
  return { ...common, platformCode: oauth.data.error, message: oauth.data.error_description };
}

/** Returns true if YouTube does not know a video, which may be because it is new. */
export function isVideoMissing(error: unknown): error is PlatformError {
  return error instanceof PlatformError && error.platformCode === 'videoNotFound';
}

/** Returns true if a video has a caption track of this language and name already. */
export const isCaptionThere = (error: unknown): boolean =>
  error instanceof PlatformError && error.platformCode === 'captionExists';

/**
 * Returns the response of a successful call.
 *
 * @throws PlatformError unless the response has a 2xx status and no error in its body
 */
export const requireSuccess = successCheck(readGoogleError, youtubeError);
