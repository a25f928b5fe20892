import type { ZodOpenApiHeadersObject, ZodOpenApiResponseObject } from 'zod-openapi';
import type { ErrorCode } from '../../kernel/error-codes.ts';
import { EitherErrorBody, ErrorBody, GatewayErrorBody } from '../error-body.ts';
import type { Operation } from '../operation.ts';
import type { OperationReply } from '../operation-reply.ts';

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
    description: 'When the next minute starts with the full limit, in Unix seconds',
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

/** Who returns an error: the service, API Gateway before it, or either. */
type Maker = 'service' | 'gateway' | 'either';
const bodies = { service: ErrorBody, gateway: GatewayErrorBody, either: EitherErrorBody };

interface Refusal {
  /** The component name of a response that many operations share. */
  readonly id?: string;
  readonly description: string;
  /** The `code` if the service returns the error, else the gateway's message. */
  readonly says: string;
  readonly by: Maker;
  readonly headers?: readonly SharedHeader[];
}

function errorAnswer({ id, description, says, by, headers = [] }: Refusal): ZodOpenApiResponseObject {
  const own: readonly SharedHeader[] = by === 'gateway' ? [] : ['X-Request-Id'];
  const names = [...own, ...headers];
  const example = by === 'gateway' ? { message: says } : { error: description, code: says };
  return {
    ...(id !== undefined && { id }),
    description,
    ...(names.length > 0 && { headers: headersOf(names) }),
    content: { 'application/json': { schema: bodies[by], example } },
  };
}

/** Responses of every operation under `/v1`. */
const served = {
  400: errorAnswer({
    id: 'Invalid',
    says: 'invalid',
    description: 'The request is wrong; the message names the field',
    by: 'service',
    headers: limitHeaders,
  }),
  429: errorAnswer({
    id: 'RateLimited',
    says: 'rate_limited',
    description:
      'Too many requests from this address, with this API key or of this workspace, as the message says, or to the whole service',
    by: 'either',
    headers: [...limitHeaders, 'Retry-After'],
  }),
  500: errorAnswer({
    id: 'Fault',
    says: 'internal',
    description: 'An error in the service; quote `X-Request-Id` when you report it',
    by: 'either',
    headers: limitHeaders,
  }),
};

/** Responses of operations that require an API key. */
const withKey = {
  401: errorAnswer({
    id: 'Unauthorized',
    says: 'key_unknown',
    description: 'The API key is missing, malformed, revoked or expired',
    by: 'service',
    headers: limitHeaders,
  }),
  403: errorAnswer({
    id: 'Forbidden',
    says: 'permission_missing',
    description: 'The API key lacks the permission that the message names, or the workspace is suspended',
    by: 'service',
    headers: limitHeaders,
  }),
};

/**
 * What API Gateway returns without the service.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
const gateway = {
  429: errorAnswer({
    id: 'Throttled',
    says: 'Too Many Requests',
    description: 'Too many requests to the whole service',
    by: 'gateway',
  }),
  431: errorAnswer({
    id: 'HeadersTooLarge',
    says: 'Request Header Fields Too Large',
    description: 'Request line and headers over 10,240 bytes',
    by: 'gateway',
  }),
  500: errorAnswer({
    id: 'Crashed',
    says: 'Internal Server Error',
    description: 'An error in the service',
    by: 'gateway',
  }),
  503: errorAnswer({
    id: 'Busy',
    says: 'Service Unavailable',
    description: 'The service is busy, or took longer than 30 seconds',
    by: 'gateway',
  }),
};
const tooLarge = errorAnswer({
  id: 'BodyTooLarge',
  says: 'Request Entity Too Large',
  description:
    'The body is larger than 10 MB, or the request is larger than the 6 MB that a function can receive',
  by: 'gateway',
});

/** The `code` of an error for which an operation names only the status. */
const codesByStatus: Readonly<Record<string, ErrorCode>> = {
  400: 'invalid',
  401: 'signature_wrong',
  403: 'permission_missing',
  404: 'not_found',
  409: 'conflict',
  413: 'storage_quota_exceeded',
  503: 'unavailable',
};

/** Every response of an operation, by status, for the document. */
export function responsesOf(op: Operation): Record<string, ZodOpenApiResponseObject> {
  const isServed = op.access !== 'public';
  const counted = isServed ? limitHeaders : [];
  const byGateway: Record<string, ZodOpenApiResponseObject> = {
    ...gateway,
    ...(op.body && { 413: tooLarge }),
  };
  const own = Object.entries(op.refusals ?? {}).map(([status, description]) => {
    const also = byGateway[status];
    return [
      status,
      errorAnswer({
        description: also ? `${description}. ${also.description}` : description,
        says: codesByStatus[status] ?? 'internal',
        by: also ? 'either' : 'service',
        headers: status === '503' ? [...counted, 'Retry-After'] : counted,
      }),
    ];
  });
  return {
    ...byGateway,
    ...(isServed && served),
    ...(op.access === 'key' && withKey),
    ...Object.fromEntries(own),
    ...Object.fromEntries(
      Object.entries(op.replies).map(([status, reply]) => [status, replyOf(reply, counted)]),
    ),
  };
}

function replyOf(
  { description, body, bodyType = 'application/json', headers = {} }: OperationReply,
  counted: readonly SharedHeader[],
): ZodOpenApiResponseObject {
  const named = Object.entries(headers).map(
    ([name, says]) => [name, { description: says, schema: { type: 'string' as const } }] as const,
  );
  return {
    description,
    headers: { ...Object.fromEntries(named), ...headersOf(['X-Request-Id', ...counted]) },
    ...(body && { content: { [bodyType]: { schema: body } } }),
  };
}

function headersOf(names: readonly SharedHeader[]): ZodOpenApiHeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
