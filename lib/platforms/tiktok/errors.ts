import * as z from 'zod';
import { dayMs, hourMs, secondMs } from '../../kernel/clock.ts';
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

const name = 'TikTok';

const scopeMissing: ErrorRule = {
  ...dead,
  advice: 'Connect the account again and leave every permission ticked.',
};
/** TikTok counts over the last 24 hours, so that a place may become free at any time. */
const tooManyPosts: ErrorRule = {
  remedy: 'retry',
  retryAfterSeconds: hourMs / secondMs,
  advice: 'TikTok allows an account some 15 posts by apps in 24 hours.',
};
const banned: ErrorRule = {
  remedy: 'restricted',
  advice: 'Open TikTok and see what it says of the account.',
};

/** Error codes of the Content Posting API and of the token endpoint, sorted by what is to be done. */
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
    retryAfterSeconds: dayMs / secondMs,
    advice: 'Five shares may wait in the inbox of the TikTok app in 24 hours: post or delete them there.',
  },
  reached_active_user_cap: {
    remedy: 'retry',
    retryAfterSeconds: dayMs / secondMs,
    advice: 'The operator of this service has to ask TikTok for more posting users a day.',
  },
  spam_risk_user_banned_from_posting: banned,
  spam_risk_text: { ...rejected, advice: 'TikTok takes the text for spam: change it.' },
  spam_risk: rejected,
  unaudited_client_can_only_post_to_private_accounts: {
    ...rejected,
    advice:
      "Until the operator's app has passed TikTok's audit, the TikTok account itself must be set to private, and privacyLevel to SELF_ONLY.",
  },
  url_ownership_unverified: {
    ...rejected,
    advice: 'The operator of this service has to verify the domain of its media at TikTok.',
  },
  privacy_level_option_mismatch: {
    ...rejected,
    advice: 'The account does not offer this privacyLevel; a private account has no PUBLIC_TO_EVERYONE.',
  },
  app_version_check_failed: {
    ...rejected,
    advice: 'The person has to update the TikTok app.',
  },
  invalid_param: rejected,
  invalid_params: rejected,
  invalid_file_upload: rejected,
  invalid_publish_id: rejected,
  token_not_authorized_for_specified_publish_id: rejected,
  invalid_request: rejected,
  invalid_scope: rejected,
  unsupported_grant_type: rejected,
  invalid_client: { ...rejected, advice: "The operator of this service has to check the app's credentials." },
};

const pullFailed: ErrorRule = {
  remedy: 'retry',
  retryAfterSeconds: 30,
  advice: 'TikTok must be able to fetch the file: check that its address is public.',
};

/** What the `fail_reason` of a post means ("Get Post Status"). Of a post that has failed nothing is live. */
const byFailReason: Readonly<Record<string, ErrorRule & { readonly words: string }>> = {
  file_format_check_failed: { ...rejected, words: 'the file is in no format that TikTok can read' },
  duration_check_failed: {
    ...rejected,
    words: 'the video is too short, or longer than this account may post',
  },
  frame_rate_check_failed: { ...rejected, words: 'the video must have from 23 to 60 frames a second' },
  picture_size_check_failed: { ...rejected, words: 'the picture is too small or too large' },
  video_pull_failed: { ...pullFailed, words: 'the video could not be fetched' },
  photo_pull_failed: { ...pullFailed, words: 'the photos could not be fetched' },
  internal: { remedy: 'retry', retryAfterSeconds: 10, words: 'TikTok failed to process the post' },
  auth_removed: { ...dead, words: 'the permission was withdrawn while the post was processed' },
  publish_cancelled: { ...rejected, words: 'the post was cancelled at TikTok' },
  spam_risk_too_many_posts: { ...tooManyPosts, words: 'the account has posted too much today' },
  spam_risk_user_banned_from_posting: { ...banned, words: 'the account is banned from posting' },
  spam_risk_text: { ...rejected, words: 'the text is taken for spam' },
  spam_risk: { ...rejected, words: 'the post is taken for spam' },
};

const ApiError = z.object({
  error: z.object({
    code: z.string().min(1),
    message: z.string().catch(''),
    log_id: z.string().optional().catch(undefined),
  }),
});
/** The flat shape of the token endpoint. */
const OAuthError = z.object({ error: z.string().min(1), error_description: z.string().catch('') });

/** TikTok's own error in an answer, whatever HTTP status it came with: some refusals come with 200. */
function readFailure(answer: PlatformAnswer): PlatformFailure | undefined {
  const common = { status: answer.status, retryAfterSeconds: retryAfterHeader(answer) };
  const api = ApiError.safeParse(answer.json);
  if (api.success) {
    const { code, message, log_id: logId } = api.data.error;
    if (code === 'ok') return undefined;
    // What TikTok's support asks for, where nothing is known of the error.
    const words = byCode[code] === undefined && logId ? `${message} [log ${logId}]` : message;
    return { ...common, platformCode: code, message: words };
  }
  const oauth = OAuthError.safeParse(answer.json);
  if (!oauth.success) return undefined;
  return { ...common, platformCode: oauth.data.error, message: oauth.data.error_description };
}

/** What an answer that is no success means. */
export function tiktokError(answer: PlatformAnswer): PlatformError {
  const failure = readFailure(answer);
  if (failure === undefined) return unreadable(name, answer);
  if (answer.status >= 500) return platformError(name, failure, { remedy: 'unknown' });
  const rule = byCode[failure.platformCode];
  if (rule) return platformError(name, failure, rule);
  if (answer.status === 429) return platformError(name, failure, { remedy: 'retry', retryAfterSeconds: 60 });
  if (answer.status === 401) return platformError(name, failure, dead);
  // Nothing is known of it, and the status says success: what was asked may have been done.
  if (answer.status < 400) return platformError(name, failure, { remedy: 'unknown', ifAbsent: 'rejected' });
  return platformError(name, failure, rejected);
}

/** @throws PlatformError for everything but an answer of 2xx without an error in it */
export const requireSuccess = successCheck(readFailure, tiktokError);

/** The error behind a post that has failed. */
export function failureOf(failReason: string): PlatformError {
  const { words, ...rule } = byFailReason[failReason] ?? { ...rejected, words: 'the post has failed' };
  return platformError(name, { platformCode: failReason || 'no reason', message: words }, rule);
}

/** Whether TikTok does not know the post, or not as one of this account. */
export function isForeignPublish(error: unknown): error is PlatformError {
  const codes = ['invalid_publish_id', 'token_not_authorized_for_specified_publish_id'];
  return error instanceof PlatformError && codes.includes(error.platformCode ?? '');
}
