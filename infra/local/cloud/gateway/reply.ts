/** Converts a function's result to an HTTP response, and builds the responses of the gateway itself. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod';
import type { CorsRule } from '../model.ts';

export interface HttpReply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

const structuredResult = z.object({
  statusCode: z.coerce.number().int().min(200).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/** The gateway sets these headers itself. */
const droppedHeaders = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/** Returns one of the gateway's own responses. An API cannot change their format. */
export function gatewayReply(status: number, message: string): HttpReply {
  return {
    status,
    headers: [['content-type', 'application/json']],
    body: Buffer.from(JSON.stringify({ message })),
  };
}

export const internalServerError = gatewayReply(500, 'Internal Server Error');

/**
 * Converts a function's result to a reply. A result without a `statusCode` becomes the body of a 200. An invalid result
 * (a body that is not text, a header that HTTP does not allow) is an error of the function, so it becomes a 500.
 */
export function toHttpReply(result: unknown): HttpReply {
  if (typeof result !== 'object' || result === null || !('statusCode' in result)) {
    const body = typeof result === 'string' ? result : JSON.stringify(result);
    return { status: 200, headers: [['content-type', 'application/json']], body: Buffer.from(body) };
  }
  const parsed = structuredResult.safeParse(result);
  if (!parsed.success) return internalServerError;
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.data;
  const lines = Object.entries(headers ?? {})
    .map(([name, value]) => [name.toLowerCase(), String(value)] as const)
    .filter(([name]) => !droppedHeaders.has(name));
  const hasType = lines.some(([name]) => name === 'content-type');
  const all = [
    ...(hasType ? [] : [['content-type', 'text/plain;charset=UTF-8'] as const]),
    ...lines,
    ...(cookies ?? []).map((cookie) => ['set-cookie', cookie] as const),
  ];
  if (!all.every(isValidHeader)) return internalServerError;
  return {
    status: statusCode,
    headers: all,
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}

/** Returns the response to a preflight request; without CORS headers if the origin is not allowed. */
export function preflightReply(cors: CorsRule, origin: string): HttpReply {
  const headers = corsHeaders(cors, origin);
  if (headers.length > 0) {
    headers.push(['access-control-allow-methods', cors.allowedMethods.join(',')]);
    headers.push(['access-control-allow-headers', cors.allowedHeaders.join(',')]);
    if (cors.maxAgeSeconds !== undefined)
      headers.push(['access-control-max-age', String(cors.maxAgeSeconds)]);
  }
  return { status: 204, headers, body: Buffer.alloc(0) };
}

/** Replaces the function's own CORS headers with those of the API's configuration. */
export function withCors(reply: HttpReply, cors: CorsRule, origin: string): HttpReply {
  const own = reply.headers.filter(([name]) => !name.startsWith('access-control-'));
  return { ...reply, headers: [...own, ...corsHeaders(cors, origin)] };
}

function corsHeaders(cors: CorsRule, origin: string): (readonly [string, string])[] {
  const allowsAll = cors.allowedOrigins.includes('*');
  if (!allowsAll && !cors.allowedOrigins.includes(origin)) return [];
  const headers: (readonly [string, string])[] = [['access-control-allow-origin', allowsAll ? '*' : origin]];
  if (!allowsAll) headers.push(['vary', 'Origin']);
  if (cors.exposedHeaders.length > 0) {
    headers.push(['access-control-expose-headers', cors.exposedHeaders.join(',')]);
  }
  return headers;
}

function isValidHeader([name, value]: readonly [string, string]): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
