import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { statusOf } from '../../lib/api-contract/errors/statuses.ts';
import type { ErrorCode } from '../../lib/kernel/error-codes.ts';
import type { HeraldError } from '../../lib/kernel/errors.ts';

export type Reply = APIGatewayProxyStructuredResultV2 & { headers: Record<string, string> };

/**
 * Headers of every response. Browsers then use only https for this host for a year (RFC 6797), and never guess a content
 * type.
 */
export const securityHeaders = {
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
} as const;

/** Creates a JSON response. Caches must not keep any response of the API. */
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

/** Creates a response with plain text: a browser must not render text from outside as a page. */
export function textReply(statusCode: number, body: string): Reply {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
    ...securityHeaders,
  };
  return { statusCode, headers, body };
}

/** Creates a response with text of another type, which a browser saves as a file. */
export function typedReply(
  statusCode: number,
  {
    type,
    content,
    headers,
  }: { readonly type: string; readonly content: string; readonly headers?: Readonly<Record<string, string>> },
): Reply {
  return {
    statusCode,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
      ...headers,
      ...securityHeaders,
    },
    body: content,
  };
}

type ErrorContent = Pick<HeraldError, 'kind' | 'code' | 'message'> &
  Partial<
    Pick<HeraldError, 'param' | 'fields' | 'problems' | 'retryAfterSeconds' | 'oldestCursor' | 'byPerson'>
  >;

/**
 * Creates the response to every error: `error` for people, `code` and `param` for programs, `details` for forms.
 *
 * @param event the request; its host is that of `docUrl`
 */
export function errorReply(error: ErrorContent, event: APIGatewayProxyEventV2): Reply {
  const { fields, problems = [] } = error;
  const reply = jsonReply(statusOf[error.kind], {
    error: error.message,
    code: error.code,
    ...(error.param !== undefined && { param: error.param }),
    ...(error.oldestCursor !== undefined && { oldestCursor: error.oldestCursor }),
    ...(error.byPerson && { by: 'person', permalink: error.byPerson.permalink }),
    docUrl: docUrlOf(error.code, event),
    ...(fields && {
      details: {
        fields,
        problems: problems.map(({ field, code = 'invalid', message }) => ({ param: field, code, message })),
      },
    }),
  });
  if (error.retryAfterSeconds !== undefined) reply.headers['retry-after'] = String(error.retryAfterSeconds);
  const challenge = challengeOf(error.code);
  if (challenge !== undefined) reply.headers['www-authenticate'] = challenge;
  return reply;
}

/**
 * Returns the URL of the page that describes a code. API Gateway sets the host, which is always one of its own and never forged
 * by a client: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function docUrlOf(code: string, { headers, requestContext }: APIGatewayProxyEventV2): string {
  const scheme = headers['x-forwarded-proto'] === 'http' ? 'http' : 'https';
  return `${scheme}://${requestContext.domainName}/docs/errors/${code}`;
}

/**
 * Returns the value of `WWW-Authenticate`. It names an error only if a key was sent:
 * https://www.rfc-editor.org/rfc/rfc6750#section-3
 */
function challengeOf(code: ErrorCode): string | undefined {
  switch (code) {
    case 'key_missing':
      return 'Bearer realm="api"';
    case 'key_malformed':
    case 'key_unknown':
    case 'key_expired':
      return 'Bearer realm="api", error="invalid_token"';
    default:
      return undefined;
  }
}
