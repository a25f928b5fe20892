/** The error bodies of the REST API v5: `{ code, message }`. Pinterest publishes no codes; these were observed. */
import { json, Refusal } from '../kit/answers.ts';
import type { Answer } from '../kit/types.ts';

/** The messages by HTTP status and code. The third part distinguishes errors that differ only in Pinterest's message. */
const messages = {
  '400/1': 'Invalid request: the request does not match the schema.',
  '400/1/url': 'Unable to reach the URL. Please check the URL is correct and try again.',
  '400/1/image': 'Sorry, the image you are trying to use is too small or of an unsupported type.',
  '400/1/sizes': 'Carousel images must have the same dimensions.',
  '400/58': 'You already have a board with that name.',
  '401/2': 'Authentication failed.',
  '401/3': 'Your application is not authorized to use this feature: pin_edit.',
  '401/283': 'The authorization grant is invalid',
  '403/29': 'You are not permitted to access that resource.',
  // As quoted in https://github.com/gitroomhq/postiz-app/issues/1084
  '403/29/trial':
    'Apps with Trial access may not create Pins in production https://api.pinterest.com - use API Sandbox https://api-sandbox.pinterest.com instead.',
  // The sandbox "cannot create video Pins"; the text is ours. https://developers.pinterest.com/docs/developer-tools/sandbox/
  '403/29/sandbox-video': 'Video Pins cannot be created in the sandbox.',
  '403/29/scope': 'Your access token does not have the required scopes.',
  '404/40': 'Board not found.',
  '404/50': 'Pin not found.',
  '404/2031': 'Board section not found.',
  '404/4134': 'Media not found.',
  '404/1': 'The requested resource does not exist.',
  '409/58': 'There was a conflict with another request.',
  '429/8': 'You have exceeded your rate limit. Try again later.',
  '500/12': 'Something went wrong on our end. Sorry about that.',
} as const;

export type ErrorCode = keyof typeof messages;

/** Returns Pinterest's answer for one of its errors. @param message replaces the default message */
export function errorAnswer(
  code: ErrorCode,
  message?: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const [status, number] = code.split('/').map(Number);
  return json({ code: number, message: message ?? messages[code] }, status, headers);
}

/** @throws Refusal with `errorAnswer` */
export function refuse(code: ErrorCode, message?: string): never {
  throw new Refusal(errorAnswer(code, message));
}

/** @param seconds until the window ends */
export function rateLimitAnswer(limit: number, seconds: number): Answer {
  return errorAnswer('429/8', undefined, rateLimitHeaders(limit, 0, seconds));
}

/** @param seconds until the window ends */
export function rateLimitHeaders(limit: number, remaining: number, seconds: number) {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(seconds),
  };
}

/** Returns the answer for a planned fault. @param code one of the errors above, or an HTTP status */
export function plannedError(code: string): Answer {
  if (isErrorCode(code)) return errorAnswer(code);
  const status = Number(code);
  const isStatus = Number.isInteger(status) && status >= 400 && status < 600;
  return json({ code: 12, message: `Pinterest failed with ${code}` }, isStatus ? status : 400);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(messages, code);
}
