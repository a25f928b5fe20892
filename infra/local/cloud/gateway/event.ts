/**
 * Converts a request to the event that an HTTP API passes to a function, in payload format 2.0. Omits empty parts.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
import { isUtf8 } from 'node:buffer';
import { percentDecode, type RouteMatch } from './routes.ts';

export interface GatewayRequest {
  readonly method: string;
  /** The target as sent: path and query, optionally preceded by scheme and host. */
  readonly target: string;
  readonly httpVersion: string;
  /** The header names and values alternating, as sent. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** The TCP peer. */
  readonly peerAddress: string;
  readonly port: number;
}

export interface RequestIdentity {
  readonly requestId: string;
  readonly traceHeader: string;
  readonly accountId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Content types whose bodies are passed as text. All others, including forms, are base64. */
const textTypes = /^(text\/|application\/(json|javascript|xml)\b|application\/[^;]+\+(json|xml)\b)/i;

/** Splits the target of a request line into the path and the query, both still encoded. */
export function splitTarget(target: string): { path: string; query: string } {
  const local = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const mark = local.indexOf('?');
  const path = mark < 0 ? local : local.slice(0, mark);
  return { path: path.startsWith('/') ? path : `/${path}`, query: mark < 0 ? '' : local.slice(mark + 1) };
}

export function toGatewayEvent(
  request: GatewayRequest,
  match: RouteMatch,
  identity: RequestIdentity,
): object {
  const { path, query } = splitTarget(request.target);
  const { cookie, ...headers } = joinHeaders(request.rawHeaders);
  const { requestId, traceHeader, accountId, now } = identity;
  const { routeKey } = match.route;
  const domainName = headers['host'] ?? '';
  const forwardedFor = headers['x-forwarded-for'];
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookie !== undefined && { cookies: cookie.split(/[;,] */) }),
    headers: {
      ...headers,
      'x-amzn-trace-id': traceHeader,
      'x-forwarded-for':
        forwardedFor === undefined ? request.peerAddress : `${forwardedFor}, ${request.peerAddress}`,
      'x-forwarded-port': String(request.port),
      'x-forwarded-proto': 'http',
    },
    ...(query !== '' && { queryStringParameters: parseQuery(query) }),
    ...(Object.keys(match.pathParameters).length > 0 && { pathParameters: match.pathParameters }),
    requestContext: {
      accountId,
      apiId: 'local',
      domainName,
      domainPrefix: domainName.split('.')[0],
      http: {
        method: request.method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.peerAddress,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId,
      routeKey,
      stage: '$default',
      time: formatLogTime(now),
      timeEpoch: now,
    },
    ...encodeBody(request.body, headers['content-type']),
  };
}

/** Joins the values of one name with commas, in their order. Names are in lower case. */
function joinHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const joined = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(joined);
}

function parseQuery(query: string): Record<string, string> {
  const parameters = new Map<string, string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const mark = pair.indexOf('=');
    const decode = (text: string) => percentDecode(text.replaceAll('+', ' '));
    const name = decode(mark < 0 ? pair : pair.slice(0, mark));
    const value = mark < 0 ? '' : decode(pair.slice(mark + 1));
    const before = parameters.get(name);
    parameters.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(parameters);
}

function encodeBody(body: Buffer, contentType = 'text/plain'): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) return { isBase64Encoded: false };
  // JSON would damage text that is not valid UTF-8, so it is passed as base64.
  if (textTypes.test(contentType) && isUtf8(body))
    return { body: body.toString('utf8'), isBase64Encoded: false };
  return { body: body.toString('base64'), isBase64Encoded: true };
}

/** Formats a time, such as `20/Nov/2026:16:24:05 +0000`. @param nowMs epoch milliseconds */
export function formatLogTime(nowMs: number): string {
  const [, day, month, year, time] = new Date(nowMs).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}
