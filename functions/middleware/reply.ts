import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { ErrorBody } from '../../lib/api-contract/error-body.ts';
import type { ErrorKind } from '../../lib/kernel/error-codes.ts';
import type { HeraldError } from '../../lib/kernel/errors.ts';

const statusOf: Readonly<Record<ErrorKind, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  payload_too_large: 413,
  storage_quota_exceeded: 413,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
};

export type Reply = APIGatewayProxyStructuredResultV2 & { headers: Record<string, string> };

/**
 * Headers of every response. Browsers then use only https for this host for a year (RFC 6797), and never guess a content
 * type.
 */
export const securityHeaders = {
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
} as const;

/** A JSON response. Caches must not keep any response of the API. */
export function jsonReply(statusCode: number, body: unknown): Reply {
  return {
    statusCode,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...securityHeaders,
    },
    body: JSON.stringify(body),
  };
}

/** Plain text: a browser must not render as a page what comes from outside. */
export function textReply(statusCode: number, body: string): Reply {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...securityHeaders,
  };
  return { statusCode, headers, body };
}

/** The body of every error: `error` for people, `code` and `param` for programs, `details.fields` for forms. */
export function errorBody(error: HeraldError): ErrorBody {
  return {
    error: error.message,
    code: error.code,
    ...(error.param !== undefined && { param: error.param }),
    ...(error.fields && { details: { fields: error.fields as Record<string, string[]> } }),
  };
}

export function errorReply(error: HeraldError): Reply {
  const reply = jsonReply(statusOf[error.kind], errorBody(error));
  if (error.retryAfterSeconds !== undefined) reply.headers['retry-after'] = String(error.retryAfterSeconds);
  return reply;
}
