/** Asks a distribution's origins: buckets with the distribution's own rights (origin access control), and HTTP servers. */
import { once } from 'node:events';
import { type IncomingMessage, request as openRequest } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { AwsError } from '../engines/errors.ts';
import { UnsatisfiableRange } from '../engines/s3/read-object.ts';
import type { S3Reply } from '../engines/s3/request.ts';
import type { BucketReader } from '../engines/types.ts';
import type { Caller } from '../identity/policy-decision.ts';
import type { CacheBehavior, OriginResource } from '../model.ts';
import type { ViewerRequest } from './viewer-request.ts';

export interface OriginReply {
  readonly status: number;
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body: Buffer | Exclude<S3Reply['body'], string | undefined>;
}

type BucketOrigin = Extract<OriginResource, { kind: 'bucket' }>;
type HttpOrigin = Extract<OriginResource, { kind: 'http' }>;

const cloudFront: Caller = {
  principal: { kind: 'service', service: 'cloudfront.amazonaws.com' },
  policies: [],
};

/** The request headers that are forwarded to a bucket. A request with one of them is not answered from the cache. */
const conditionalHeaders = [
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
];

export const conditionsOf = ({ headers }: ViewerRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(
    conditionalHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );

export async function askBucket(
  s3: BucketReader,
  { bucketArn, path }: BucketOrigin,
  request: ViewerRequest,
  { sourceArn, body }: { readonly sourceArn: string; readonly body: Readable },
): Promise<OriginReply> {
  try {
    const reply = await s3.reply({
      method: request.method,
      path: `/${bucketArn.split(':').at(-1)}${path}${request.uri}`,
      query: new URLSearchParams(),
      headers: conditionsOf(request),
      caller: cloudFront,
      sourceArn,
      body,
    });
    const content = typeof reply.body === 'object' ? reply.body : Buffer.from(reply.body ?? '');
    return { status: reply.httpStatus, headers: reply.headers, body: content };
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return {
      status: error.httpStatus,
      headers: {
        'content-type': 'text/plain',
        ...(error instanceof UnsatisfiableRange && { 'content-range': `bytes */${error.size}` }),
      },
      body: Buffer.from(`${error.code}: ${error.message}\n`),
    };
  }
}

/** Headers of one connection, which are never passed on (RFC 9110, 7.6.1). */
const connectionHeaders = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** CloudFront's default limit for an answer. */
const originLimitMs = 30_000;

/**
 * Asks an HTTP origin.
 *
 * @returns a 502 or 504 if the origin does not answer
 */
export async function askHttpOrigin(
  origin: HttpOrigin,
  request: ViewerRequest,
  { passesRequestOn }: Pick<CacheBehavior, 'passesRequestOn'>,
  body: Readable,
): Promise<OriginReply> {
  const { host: _host, 'x-forwarded-for': forwardedFor, ...sent } = request.headers;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const dropped = [...connectionHeaders, 'expect', ...(isRead ? ['content-length'] : [])];
  const passed = Object.entries(sent).filter(([name]) => !dropped.includes(name));
  const query = passesRequestOn && request.query !== '' ? `?${request.query}` : '';
  const outgoing = openRequest(`${origin.url}${origin.path}${request.uri}${query}`, {
    method: request.method,
    timeout: originLimitMs,
    headers: {
      ...(passesRequestOn
        ? Object.fromEntries(passed)
        : {
            'user-agent': 'Amazon CloudFront',
            ...conditionsOf(request),
            ...(!isRead && bodyHeaders(request)),
          }),
      ...(passesRequestOn && request.cookie !== undefined && { cookie: request.cookie }),
      via: '1.1 local.cloudfront.net (CloudFront)',
      'x-forwarded-for': forwardedFor === undefined ? request.address : `${forwardedFor}, ${request.address}`,
      ...origin.headers,
    },
  });
  outgoing.on('timeout', () => outgoing.destroy(new Error('timeout')));
  try {
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    const sending = isRead ? outgoing.end() : pipeline(body, outgoing);
    const [[answer]] = await Promise.all([answered, sending]);
    return await readAnswer(answer);
  } catch (error) {
    const isLate = error instanceof Error && error.message === 'timeout';
    return {
      status: isLate ? 504 : 502,
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from(`The origin ${isLate ? 'did not answer in time' : 'cannot be reached'}.\n`),
    };
  }
}

const bodyHeaders = ({ headers }: ViewerRequest) =>
  Object.fromEntries(
    ['content-type', 'content-length'].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, headers[name]]],
    ),
  );

async function readAnswer(answer: IncomingMessage): Promise<OriginReply> {
  const { 'set-cookie': cookies = [], ...headers } = answer.headers;
  const kept = Object.entries(headers).filter(([name]) => !connectionHeaders.includes(name));
  return {
    status: answer.statusCode ?? 502,
    headers: Object.fromEntries(kept.map(([name, value]) => [name, `${value}`])),
    cookies,
    body: await buffer(answer),
  };
}
