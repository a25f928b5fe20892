/**
 * The envelope of TikTok's API v2, `{ data, error: { code, message, log_id } }`. Only the code `ok` means success. The
 * token endpoint answers with OAuth's flat error object, sometimes with HTTP 200.
 */
import { Refusal, randomJson, rawJson } from '../kit/answers.ts';
import type { Call } from '../kit/call.ts';
import type { Random } from '../kit/random.ts';
import type { Answer } from '../kit/types.ts';

interface Wording {
  readonly status: number;
  readonly message: string;
}

const wordings = {
  access_token_invalid: { status: 401, message: 'The access token is invalid or not found in the request.' },
  scope_not_authorized: { status: 401, message: 'The user did not authorize the scope required for this.' },
  scope_permission_missed: { status: 400, message: 'The scope is not enabled for this app.' },
  rate_limit_exceeded: { status: 429, message: 'The API rate limit was exceeded. Please try again later.' },
  internal_error: { status: 500, message: 'Something is wrong. Please try again later.' },
  invalid_param: { status: 400, message: 'One or more parameters are invalid.' },
  invalid_params: { status: 400, message: 'One or more parameters are invalid.' },
  invalid_publish_id: { status: 400, message: 'The publish id does not exist.' },
  token_not_authorized_for_specified_publish_id: {
    status: 400,
    message: 'The publish id was not created with this token’s user.',
  },
  spam_risk: { status: 403, message: 'The request was identified as a risk and refused.' },
  spam_risk_text: { status: 403, message: 'The caption was identified as risky or spam.' },
  spam_risk_too_many_posts: {
    status: 403,
    message: 'The daily post cap from the API is reached for this user.',
  },
  spam_risk_too_many_pending_share: {
    status: 403,
    message: 'There are too many pending shares within 24 hours.',
  },
  spam_risk_user_banned_from_posting: { status: 403, message: 'The user is banned from making new posts.' },
  reached_active_user_cap: {
    status: 403,
    message: 'The daily quota of active publishing users is reached for this app.',
  },
  unaudited_client_can_only_post_to_private_accounts: {
    status: 403,
    message: 'Unaudited clients can only post to a private account.',
  },
  url_ownership_unverified: { status: 403, message: 'Verify the ownership of the URL prefix or domain.' },
  privacy_level_option_mismatch: {
    status: 403,
    message: 'privacy_level is not among the options of this creator.',
  },
  invalid_file_upload: { status: 400, message: 'The file does not meet the specification of the API.' },
  app_version_check_failed: { status: 400, message: 'The user must update the TikTok app.' },
} as const satisfies Readonly<Record<string, Wording>>;

export type ErrorCode = keyof typeof wordings;

/** Returns a successful answer. @param data JSON text, because some ids exceed the safe integers of JavaScript */
export function success(data: string): Answer {
  return rawJson(
    (random) => `{"data":${data},"error":{"code":"ok","message":"","log_id":"${logId(random)}"}}`,
  );
}

/** @param message replaces the default text @param status replaces the default: some refusals come with HTTP 200 */
export function errorAnswer(code: ErrorCode, message?: string, status?: number): Answer {
  const wording = wordings[code];
  return envelope(code, message ?? wording.message, status ?? wording.status);
}

/** Takes the same parameters as `errorAnswer`. @throws Refusal with that answer */
export function refuse(code: ErrorCode, message?: string, status?: number): never {
  throw new Refusal(errorAnswer(code, message, status));
}

/** Returns the answer for a planned fault. @param code an error code, known or not, or an HTTP status */
export function plannedError(code: string, call: Call): Answer {
  const status = /^[45]\d\d$/.test(code) ? Number(code) : undefined;
  if (call.operation.startsWith('oauth.')) {
    return oauthError(status === undefined ? code : 'server_error', 'Something went wrong', status ?? 400);
  }
  if (call.operation === 'video.upload') return { status: status ?? 400 };
  if (status !== undefined) {
    return envelope(status >= 500 ? 'internal_error' : 'invalid_param', `Failed with ${code}`, status);
  }
  return isErrorCode(code) ? errorAnswer(code) : envelope(code, `Failed with ${code}`, 400);
}

/** Returns an error of the token endpoint. */
export function oauthError(error: string, description: string, status: number): Answer {
  return randomJson((random) => ({ error, error_description: description, log_id: logId(random) }), status, {
    'cache-control': 'no-cache',
  });
}

function envelope(code: string, message: string, status: number): Answer {
  return randomJson((random) => ({ data: {}, error: { code, message, log_id: logId(random) } }), status);
}

function logId(random: Random): string {
  return random.uuid().replaceAll('-', '').toUpperCase();
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(wordings, code);
}
