/**
 * Stands in for CloudFront in front of the media bucket. It serves GET and HEAD of single objects with the
 * distribution's own rights (origin access control), with the headers and cache times of the distribution's policies.
 * Conditional and ranged requests always go to the bucket.
 */

import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../clock.ts';
import { AwsError } from '../engines/errors.ts';
import { UnsatisfiableRange } from '../engines/s3/read-object.ts';
import type { S3Reply } from '../engines/s3/request.ts';
import { type S3Service, send } from '../engines/s3/service.ts';
import type { Caller } from '../identity/policy-decision.ts';
import type { DistributionResource } from '../model.ts';
import { createEdgeCache, type EdgeCache, largestCachedBytes } from './edge-cache.ts';
import { type Listener, listen } from './listener.ts';

export interface MediaEdge extends Listener {
  attach(s3: S3Service, distribution: DistributionResource, clock: Clock): void;
  /** Drops cached copies. @param paths as in CloudFront's CreateInvalidation */
  invalidate(paths: readonly string[]): void;
}

interface Origin {
  readonly s3: S3Service;
  readonly distribution: DistributionResource;
  readonly cache: EdgeCache;
  readonly clock: Clock;
}

const cloudFront: Caller = {
  principal: { kind: 'service', service: 'cloudfront.amazonaws.com' },
  policies: [],
};

/** The request headers that are forwarded to the bucket. A request with one of them is not answered from the cache. */
const forwardedHeaders = [
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
];

/** Listens on loopback; answers 404 until a distribution is attached. @throws Error if the port is in use. */
export async function startMediaEdge(port: number, log: (line: string) => void): Promise<MediaEdge> {
  let origin: Origin | undefined;

  const listener = await listen(port, (incoming, response) => {
    const { method = 'GET' } = incoming;
    if (!origin) {
      response.writeHead(404).end();
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      response
        .writeHead(403, { 'content-type': 'text/plain' })
        .end('This distribution only serves GET and HEAD.\n');
      return;
    }
    serve(origin, incoming, method, response).catch((error: unknown) => {
      if (!response.destroyed)
        log(`Serving ${incoming.url} failed: ${error instanceof Error ? error.message : error}`);
      response.destroy();
    });
  });

  return {
    ...listener,
    attach(s3, distribution, clock) {
      origin = { s3, distribution, clock, cache: createEdgeCache(distribution, clock) };
    },
    invalidate(paths) {
      for (const path of paths) origin?.cache.invalidate(path);
    },
  };
}

async function serve(
  origin: Origin,
  incoming: IncomingMessage,
  method: string,
  response: ServerResponse,
): Promise<void> {
  const { cache, clock, distribution } = origin;
  const path = (incoming.url ?? '/').split('?', 1)[0] ?? '/';
  const forwarded = forwardedHeaders.flatMap((name) => {
    const value = incoming.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const cached = forwarded.length === 0 ? cache.get(path) : undefined;
  if (cached) {
    const { httpStatus, headers, body, storedAtMs } = cached;
    const age = String(Math.floor((clock.now() - storedAtMs) / 1_000));
    const source = httpStatus === 200 ? 'Hit' : 'Error';
    const shown = withPolicy(distribution, { ...headers, age, 'x-cache': `${source} from cloudfront` });
    response.writeHead(httpStatus, shown).end(method === 'HEAD' ? undefined : body);
    return;
  }
  const reply = await fromBucket(origin, incoming, method, path, Object.fromEntries(forwarded));
  const headers = withPolicy(distribution, { ...reply.headers, 'x-cache': 'Miss from cloudfront' });
  const whole = reply.httpStatus === 200 && forwarded.length === 0 ? reply.body : undefined;
  if (typeof whole === 'object' && whole.last < largestCachedBytes) {
    const body = await readFile(whole.file);
    cache.put(path, reply.headers, body);
    response.writeHead(200, headers).end(body);
    return;
  }
  if (reply.httpStatus >= 400 && typeof reply.body === 'string') {
    cache.putError(path, reply.httpStatus, reply.headers, reply.body);
  }
  await send({ ...reply, headers }, {}, method, response);
}

async function fromBucket(
  { s3, distribution }: Origin,
  incoming: IncomingMessage,
  method: string,
  path: string,
  headers: IncomingHttpHeaders,
): Promise<S3Reply> {
  const bucketName = distribution.originBucketArn.split(':').at(-1);
  try {
    return await s3.reply({
      method,
      path: `/${bucketName}${distribution.originPath}${path}`,
      query: new URLSearchParams(),
      headers,
      caller: cloudFront,
      sourceArn: distribution.arn,
      body: incoming,
    });
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return {
      httpStatus: error.httpStatus,
      headers: {
        'content-type': 'text/plain',
        ...(error instanceof UnsatisfiableRange && { 'content-range': `bytes */${error.size}` }),
      },
      body: `${error.code}: ${error.message}\n`,
    };
  }
}

function withPolicy(
  { responseHeaders }: DistributionResource,
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const added = responseHeaders.filter(({ name, overrides }) => overrides || headers[name] === undefined);
  return { ...headers, ...Object.fromEntries(added.map(({ name, value }) => [name, value])) };
}
