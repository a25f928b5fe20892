import * as z from 'zod';
import { dayMs, hourMs, secondMs } from '../../kernel/clock.ts';
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

const name = 'TikTok';

/** The rule for a missing scope, such as `video.list`, which publishing does not need. The token is valid. */
const scopeMissing: ErrorRule = {
  ...dead,
  concerns: 'feature',
  advice: 'Connect the account again and leave all permissions selected.',
};
/** The rule for too many posts. TikTok counts those of the last 24 hours, so posting may become possible again at any time. */
const tooManyPosts: ErrorRule = {
  remedy: 'retry',
  concerns: 'feature',
  isDailyLimit: true,
  retryAfterSeconds: hourMs / secondMs,
  advice: 'TikTok allows apps about 15 posts per account in 24 hours.',
};
const banned: ErrorRule = {
  remedy: 'restricted',
  concerns: 'account',
  advice: 'Open TikTok and check what it says about the account.',
};

/** Error codes of the Content Posting API and of the token endpoint. */
const byCode: Readonly<Record<string, ErrorRule>> = {
  access_token_invalid: dead,
  scope_not_authorized: scopeMissing,
  scope_permission_missed: scopeMissing,
  invalid_grant: dead,
  rate_limit_exceeded: { remedy: 'retry', retryAfterSeconds: 60 },
  internal_error: { remedy: 'unknown' },
  spam_risk_too_many_posts: tooManyPosts,
  spam_risk_too_many_pending_share: {
    remedy: 'retry',
    concerns: 'feature',
    isDailyLimit: true,
    retryAfterSeconds: dayMs / secondMs,
    advice: "TikTok allows five pending shares per 24 hours: post or delete those in the TikTok app's inbox.",
  },
  reached_active_user_cap: {
    remedy: 'retry',
    concerns: 'app',
    isDailyLimit: true,
    retryAfterSeconds: dayMs / secondMs,
    advice: 'The operator of this service must ask TikTok to allow more posting users per day.',
  },
  spam_risk_user_banned_from_posting: banned,
  spam_risk_text: { ...rejected, advice: 'TikTok classifies the text as spam: change it.' },
  spam_risk: rejected,
  unaudited_client_can_only_post_to_private_accounts: {
    ...rejected,
    advice:
      "Until the operator's app has passed TikTok's audit, the TikTok account itself must be set to private, and privacyLevel to SELF_ONLY.",
  },
  url_ownership_unverified: {
    ...rejected,
    concerns: 'app',
    advice: 'The operator of this service must verify the domain of its media files at TikTok.',
  },
  privacy_level_option_mismatch: {
    ...rejected,
    advice:
      'The account does not allow this privacyLevel; a private account does not allow PUBLIC_TO_EVERYONE.',
  },
  app_version_check_failed: {
    ...rejected,
    advice: "The account's owner must update the TikTok app.",
  },
  invalid_param: rejected,
  invalid_params: rejected,
  invalid_file_upload: rejected,
  invalid_publish_id: rejected,
  token_not_authorized_for_specified_publish_id: rejected,
  invalid_request: rejected,
  invalid_scope: rejected,
  unsupported_grant_type: rejected,
  invalid_client: {
    ...rejected,
    concerns: 'app',
    advice: "The operator of this service must check the app's credentials.",
  },
};

const pullFailed: ErrorRule = {
  remedy: 'retry',
  retryAfterSeconds: 30,
  advice: 'TikTok must be able to download the file: check that its URL is public.',
};

/** The meanings of a failed post's `fail_reason` ("Get Post Status"). No part of a failed post is live. */
const byFailReason: Readonly<Record<string, ErrorRule & { readonly words: string }>> = {
  file_format_check_failed: { ...rejected, words: 'TikTok cannot read the format of the file' },
  duration_check_failed: {
    ...rejected,
    words: 'the video is too short, or longer than TikTok allows this account to post',
  },
  frame_rate_check_failed: { ...rejected, words: 'the video must have from 23 to 60 frames per second' },
  picture_size_check_failed: { ...rejected, words: 'the picture is too small or too large' },
  video_pull_failed: { ...pullFailed, words: 'TikTok could not download the video' },
  photo_pull_failed: { ...pullFailed, words: 'TikTok could not download the photos' },
  internal: { remedy: 'retry', retryAfterSeconds: 10, words: 'TikTok failed to process the post' },
  auth_removed: { ...dead, words: 'the permission was revoked while TikTok processed the post' },
  publish_cancelled: { ...rejected, words: 'the post was cancelled at TikTok' },
  spam_risk_too_many_posts: {
    ...tooManyPosts,
    words: 'the account has posted too much in the last 24 hours',
  },
  spam_risk_user_banned_from_posting: { ...banned, words: 'the account is banned from posting' },
  spam_risk_text: { ...rejected, words: 'TikTok classifies the text as spam' },
  spam_risk: { ...rejected, words: 'TikTok classifies the post as spam' },
};

const ApiError = z.object({
  error: z.object({
    code: z.string().min(1),
    message: z.string().catch(''),
    log_id: z.string().optional().catch(undefined),
  }),
});
/** An error of the token endpoint, which has a format of its own. */
const OAuthError = z.object({ error: z.string().min(1), error_description: z.string().catch('') });

/** Reads TikTok's error from a response, whatever the HTTP status: TikTok sends some errors with status 200. */
function readFailure(response: PlatformResponse): PlatformFailure | undefined {
  const common = { status: response.status, retryAfterSeconds: retryAfterHeader(response) };
  const api = ApiError.safeParse(response.json);
  if (api.success) {
    const { code, message, log_id: logId } = api.data.error;
    if (code === 'ok') return undefined;
    // For an error that is not in the table, add the log id, which TikTok's support asks for.
    const words = byCode[code] === undefined && logId ? `${message} [log ${logId}]` : message;
    return { ...common, platformCode: code, message: words };
  }
  const oauth = OAuthError.safeParse(response.json);
  if (!oauth.success) return undefined;
  return { ...common, platformCode: oauth.data.error, message: oauth.data.error_description };
}

/** Returns the error for a failed response. */
export function tiktokError(response: PlatformResponse): PlatformError {
  const failure = readFailure(response);
  if (failure === undefined) return unreadable(name, response);
  if (response.status >= 500) return platformError(name, failure, { remedy: 'unknown' });
  const rule = byCode[failure.platformCode];
  if (rule) return platformError(name, failure, rule);
  if (response.status === 429)
    return platformError(name, failure, { remedy: 'retry', retryAfterSeconds: 60 });
  if (response.status === 401) return platformError(name, failure, dead);
  // An unknown error with a success status: the call may have taken effect.
  if (response.status < 400) return platformError(name, failure, { remedy: 'unknown', ifAbsent: 'rejected' });
  return platformError(name, failure, rejected);
}

/**
 * Returns the response of a successful call.
 *
 * @throws PlatformError unless the response has a 2xx status and no error in its body
 */
export const requireSuccess = successCheck(readFailure, tiktokError);

/** Returns the error for a post that TikTok failed to process. */
export function failureOf(failReason: string): PlatformError {
  const { words, ...rule } = byFailReason[failReason] ?? { ...rejected, words: 'the post has failed' };
  return platformError(name, { platformCode: failReason || 'no reason', message: words }, rule);
}

/** Returns true if TikTok could not download the files of a failed post. */
export function isDownloadFailure(failReason: string): boolean {
  return failReason === 'video_pull_failed' || failReason === 'photo_pull_failed';
}

/** Returns true if TikTok does not know the post, or it belongs to another account. */
export function isForeignPublish(error: unknown): error is PlatformError {
  const codes = ['invalid_publish_id', 'token_not_authorized_for_specified_publish_id'];
  return error instanceof PlatformError && codes.includes(error.platformCode ?? '');
}

/** Returns true if the error of a read means that the post does not exist, or is so new that it cannot be read yet. */
export function isMissingPublish({ platformCode }: PlatformError): boolean {
  return platformCode === 'invalid_publish_id';
}
