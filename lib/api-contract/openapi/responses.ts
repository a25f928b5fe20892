import * as z from 'zod';
import type { ZodOpenApiHeadersObject, ZodOpenApiResponseObject } from 'zod-openapi';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { ErrorBody } from '../error-body.ts';
import type { Operation } from '../operation.ts';
import type { OperationReply } from '../operation-reply.ts';
import type { OperationExamples } from './examples/all.ts';

/** Headers that many responses share. Responses refer to them by their key here. */
export const sharedHeaders = {
  'X-Request-Id': {
    description: 'Quote it when you report a problem with this response',
    schema: { type: 'string' as const },
  },
  'X-RateLimit-Limit': {
    description:
      'Requests per minute under `/v1` that one limit allows: of the limits per address, API key and workspace, the one that refused the request or has the fewest requests left',
    schema: { type: 'integer' as const },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that this limit still allows in this minute',
    schema: { type: 'integer' as const },
  },
  'X-RateLimit-Reset': {
    description: 'Start of the next minute, which has the full limit, in Unix seconds',
    schema: { type: 'integer' as const },
  },
  'Retry-After': {
    description: "Seconds to wait before a retry. Absent if API Gateway's own throttle rejected the request",
    schema: { type: 'integer' as const },
  },
};
type SharedHeader = keyof typeof sharedHeaders;

const limitHeaders: readonly SharedHeader[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

interface Refusal {
  /** The component name of a response that many operations share. */
  readonly id?: string;
  readonly description: string;
  /** The `code` in the example. */
  readonly code: ErrorCode;
  readonly headers?: readonly SharedHeader[];
  /** Replaces fields of the example that is built from the other members. `docUrl` follows from its code. */
  readonly example?: object | undefined;
}

function errorAnswer({ id, description, code, headers = [], example }: Refusal): ZodOpenApiResponseObject {
  const shown = { error: description, code, ...example };
  return {
    ...(id !== undefined && { id }),
    description,
    headers: headersOf(['X-Request-Id', ...headers]),
    content: { 'application/json': { schema: ErrorBody, example: withDocUrl(shown) } },
  };
}

const withDocUrl = (error: { readonly code: string }) => ({
  ...error,
  docUrl: `https://api.example.com/docs/errors/${error.code}`,
});

/** The statuses that API Gateway may return too. */
const gatewayStatuses = new Set([413, 429, 431, 500, 503]);
const gatewayNote = "API Gateway's own response has the body `{ message }`";

/** Responses of every operation under `/v1`. */
const served = {
  400: errorAnswer({
    id: 'Invalid',
    code: 'invalid',
    description: 'The request is wrong; the message names the field',
    headers: limitHeaders,
  }),
  429: errorAnswer({
    id: 'RateLimited',
    code: 'rate_limited',
    description: `Too many requests from this address, with this API key or of this workspace, as the message says, or to the whole service. Or the request would open more imports of files than the workspace may have (\`too_many_imports\`). ${gatewayNote}`,
    example: { error: 'too many requests from this address in this minute' },
    headers: [...limitHeaders, 'Retry-After'],
  }),
  500: errorAnswer({
    id: 'Fault',
    code: 'internal',
    description: `An error in the service; quote \`X-Request-Id\` when you report it. ${gatewayNote}`,
    example: { error: 'internal error' },
    headers: limitHeaders,
  }),
};

/** Responses of operations that require an API key. */
const withKey = {
  401: errorAnswer({
    id: 'Unauthorized',
    code: 'key_unknown',
    description: 'The API key is missing, malformed, revoked or expired',
    headers: limitHeaders,
  }),
  403: errorAnswer({
    id: 'Forbidden',
    code: 'permission_missing',
    description: 'The API key lacks the permission that the message names, or the workspace is suspended',
    headers: limitHeaders,
  }),
};

/**
 * The responses that API Gateway returns without the service. The introduction of the document describes these errors, and
 * operations do not list them if the service has no such error. Otherwise some of an operation's errors would have another body
 * or none, and generated clients would have to find out which one they have before they read `error`.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
const throttled: ZodOpenApiResponseObject = {
  description: "Too many requests to the whole service; API Gateway's own response",
  content: {
    'application/json': {
      schema: z.object({ message: z.string() }).meta({ id: 'GatewayError' }),
      example: { message: 'Too Many Requests' },
    },
  },
};

/** The `code` of an error for which an operation names only the status. */
const codesByStatus: Readonly<Record<string, ErrorCode>> = {
  400: 'invalid',
  401: 'signature_wrong',
  403: 'permission_missing',
  404: 'not_found',
  409: 'conflict',
  410: 'events_expired',
  413: 'storage_quota_exceeded',
  503: 'unavailable',
};

/**
 * Returns every response of an operation, by status, for the document.
 *
 * @param examples the examples; an error without one gets its description as its text
 */
export function responsesOf(
  op: Operation,
  { responses: examples, otherResponses = {} }: OperationExamples = { responses: {} },
): Record<string, ZodOpenApiResponseObject> {
  const isServed = op.access !== 'public';
  const counted = isServed ? limitHeaders : [];
  const own = Object.entries(op.refusals ?? {}).map(([status, description]) => [
    status,
    errorAnswer({
      description: gatewayStatuses.has(Number(status)) ? `${description}. ${gatewayNote}` : description,
      code: codesByStatus[status] ?? 'internal',
      headers: status === '503' ? [...counted, 'Retry-After'] : counted,
      example: { error: description, ...(examples[Number(status)] as object | undefined) },
    }),
  ]);
  const hasErrors = [...own, ...Object.entries(op.replies)].some(([status]) => Number(status) >= 400);
  const redirects = Object.keys(op.replies).every((status) => !status.startsWith('2'));
  return {
    ...(!isServed && !hasErrors && { 429: throttled }),
    ...(redirects && {
      default: { description: 'If your client follows redirects: the response of that URL' },
    }),
    ...(isServed && served),
    ...(op.access === 'key' && withKey),
    ...Object.fromEntries(own),
    ...Object.fromEntries(
      Object.entries(op.replies).map(([status, reply]) => [
        status,
        replyOf(reply, counted, namedExamples(examples[Number(status)], otherResponses[Number(status)])),
      ]),
    ),
  };
}

function replyOf(
  { description, body, bodyType = 'application/json', headers = {}, otherTypes = {} }: OperationReply,
  counted: readonly SharedHeader[],
  examples: ReturnType<typeof namedExamples>,
): ZodOpenApiResponseObject {
  const named = Object.entries(headers).map(
    ([name, says]) => [name, { description: says, schema: { type: 'string' as const } }] as const,
  );
  return {
    description,
    headers: { ...Object.fromEntries(named), ...headersOf(['X-Request-Id', ...counted]) },
    ...(body && {
      content: {
        [bodyType]: { schema: body, ...examples },
        ...Object.fromEntries(
          Object.entries(otherTypes).map(([type, says]) => [
            type,
            { schema: { type: 'string' as const, description: says } },
          ]),
        ),
      },
    }),
  };
}

function headersOf(names: readonly SharedHeader[]): ZodOpenApiHeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/**
 * Returns the example of a body, or several by name, in the form of an OpenAPI media type. Swagger UI shows the first. A request
 * and its response have the same name.
 *
 * @param others further examples, by a short title
 */
export function namedExamples(first: unknown, others?: Readonly<Record<string, unknown>>) {
  if (first === undefined) return {};
  if (others === undefined) return { example: first };
  const named = Object.entries({ Simple: first, ...others });
  return {
    examples: Object.fromEntries(named.map(([summary, value]) => [nameOf(summary), { summary, value }])),
  };
}

/** Turns a title into a component key: lower-case letters, digits and hyphens. */
const nameOf = (summary: string) => summary.toLowerCase().replace(/[^a-z0-9]+/g, '-');
