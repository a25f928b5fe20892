/**
 * Stands in for CloudFront in front of one distribution's origins: behaviors, functions, caches, policies, compression and error
 * pages as the template says. Loopback http counts as TLS, so there is no redirect to https.
 */

import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Clock } from '../clock.ts';
import { type Listener, listen } from '../endpoints/listener.ts';
import type { BucketReader, DistributionEdge } from '../engines/types.ts';
import type { CacheBehavior, DistributionResource } from '../model.ts';
import { createEdgeCache, type EdgeCache, largestCachedBytes } from './cache.ts';
import { compressed } from './compression.ts';
import { createEdgeFunction, type RunEdgeFunction } from './edge-function.ts';
import { askBucket, askHttpOrigin, conditionsOf, type OriginReply } from './origins.ts';
import { createReloads, type Reloads } from './reloads.ts';
import { behaviorFor, readViewerRequest, type ViewerRequest } from './viewer-request.ts';

interface Edge extends Listener, DistributionEdge {
  /** Drops all copies and makes open pages reload themselves. Pages that were loaded before the first call do not. */
  reloadPages(): void;
  /** Makes the edge add the script to pages that `reloadPages` needs. */
  watchPages(): void;
}

/** The edges of a local cloud, by the names of their distributions. */
type Edges = Readonly<Record<string, Edge>>;

/**
 * Starts an edge for each distribution.
 *
 * @param ports the ports by the distributions' names; a distribution without a port gets any free one
 * @throws Error if a port is in use. What has been started is stopped first.
 */
export async function startEdges(
  names: readonly string[],
  ports: Readonly<Record<string, number>>,
  log: (line: string) => void,
): Promise<Edges> {
  const edges: Record<string, Edge> = {};
  try {
    for (const name of names) edges[name] = await startEdge(ports[name] ?? 0, log);
  } catch (error) {
    await stopEdges(edges);
    throw error;
  }
  return edges;
}

export async function stopEdges(edges: Edges): Promise<void> {
  await Promise.all(Object.values(edges).map((edge) => edge.stop()));
}

interface Site {
  readonly s3: BucketReader;
  readonly distribution: DistributionResource;
  readonly cache: EdgeCache;
  readonly clock: Clock;
  readonly functions: ReadonlyMap<CacheBehavior, RunEdgeFunction>;
}

/** The reply to the viewer. */
interface EdgeReply extends OriginReply {
  /** The value of `x-cache`. */
  readonly source: string;
  /** Seconds since the reply was stored, if it comes from the cache. */
  readonly age?: number;
}

/** Listens on loopback; answers 404 until a distribution is attached. @throws Error if the port is in use. */
async function startEdge(port: number, log: (line: string) => void): Promise<Edge> {
  let site: Site | undefined;
  let reloads: Reloads | undefined;

  const listener = await listen(port, (incoming, response) => {
    if (!site) {
      response.writeHead(404).end();
      return;
    }
    if (reloads?.handle(incoming, response)) return;
    serve(site, incoming, response, reloads).catch((error: unknown) => {
      if (!response.destroyed)
        log(`Serving ${incoming.url} failed: ${error instanceof Error ? error.message : error}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { 'content-type': 'text/plain' }).end('The edge could not answer.\n');
    });
  });

  return {
    ...listener,
    async stop() {
      reloads?.stop();
      await listener.stop();
    },
    attach(s3, distribution, clock) {
      const functions = distribution.behaviors.flatMap((behavior) => {
        const { viewerRequestFunction: source } = behavior;
        return source === undefined ? [] : [[behavior, createEdgeFunction(source, distribution)] as const];
      });
      const cache = createEdgeCache(distribution, clock);
      site = { s3, distribution, clock, cache, functions: new Map(functions) };
    },
    invalidate(paths) {
      for (const path of paths) site?.cache.invalidate(path);
    },
    watchPages() {
      reloads ??= createReloads();
    },
    reloadPages() {
      site?.cache.invalidate('/*');
      reloads?.reload();
    },
  };
}

async function serve(
  site: Site,
  incoming: IncomingMessage,
  response: ServerResponse,
  reloads: Reloads | undefined,
): Promise<void> {
  const asked = readViewerRequest(incoming);
  const behavior = behaviorFor(site.distribution.behaviors, asked.uri);
  if (!behavior.allowedMethods.includes(asked.method)) {
    const allowed = behavior.allowedMethods.join(', ');
    response.writeHead(403, { 'content-type': 'text/plain' }).end(`This path only allows ${allowed}.\n`);
    return;
  }
  const outcome = (await site.functions.get(behavior)?.(asked)) ?? { request: asked };
  if ('reply' in outcome) {
    const { status, headers, body } = outcome.reply;
    const source = 'FunctionGeneratedResponse from cloudfront';
    response.writeHead(status, { ...headers, 'x-cache': source }).end(body);
    return;
  }
  const request = withRootObject(outcome.request, site.distribution);
  const found = await find(site, behavior, request, incoming);
  const reply = withPolicy(
    behavior,
    await withErrorPage(site, found, request, incoming),
    request.headers.origin !== undefined,
  );
  await send(reloads?.addTo(reply) ?? reply, behavior, request, response);
}

const withRootObject = (
  request: ViewerRequest,
  { defaultRootObject }: DistributionResource,
): ViewerRequest =>
  request.uri === '/' && defaultRootObject !== '' ? { ...request, uri: `/${defaultRootObject}` } : request;

/** Errors that depend on one request, not on the path. */
const preconditionErrors = [412, 416];

/**
 * Finds a reply in the cache, or else asks the origin. Conditional and ranged requests go to the origin, unless the path is known
 * to have an error.
 */
async function find(
  site: Site,
  behavior: CacheBehavior,
  request: ViewerRequest,
  incoming: IncomingMessage,
): Promise<EdgeReply> {
  const { cache, clock } = site;
  const isCacheable = request.method === 'GET' || request.method === 'HEAD';
  const isPlain = Object.keys(conditionsOf(request)).length === 0;
  const cached = isCacheable ? cache.get(request.uri) : undefined;
  if (cached && (isPlain || cached.httpStatus >= 400)) {
    const source = `${cached.httpStatus < 400 ? 'Hit' : 'Error'} from cloudfront`;
    const age = Math.floor((clock.now() - cached.storedAtMs) / 1_000);
    return { status: cached.httpStatus, headers: cached.headers, body: cached.body, source, age };
  }
  const reply = { ...(await ask(site, behavior, request, incoming)), source: 'Miss from cloudfront' };
  const body = await smallBody(reply);
  if (body === undefined) return reply;
  const { status: httpStatus, headers } = reply;
  if (!isCacheable) return { ...reply, body };
  if (httpStatus >= 400 && !preconditionErrors.includes(httpStatus))
    cache.putError(request.uri, { httpStatus, headers, body });
  else if (request.method === 'GET' && httpStatus === 200 && isPlain && !reply.cookies?.length)
    cache.put(request.uri, behavior.cache, { httpStatus, headers, body });
  return { ...reply, body };
}

function ask(
  { s3, distribution }: Site,
  behavior: CacheBehavior,
  request: ViewerRequest,
  incoming: IncomingMessage,
): Promise<OriginReply> {
  const { origin } = behavior;
  return origin.kind === 'bucket'
    ? askBucket(s3, origin, request, { sourceArn: distribution.arn, body: incoming })
    : askHttpOrigin(origin, request, behavior, incoming);
}

/** Reads the whole body, unless it is a large file or a part of one. */
async function smallBody({ status, body }: OriginReply): Promise<Buffer | undefined> {
  if (Buffer.isBuffer(body)) return body;
  return status === 200 && body.last < largestCachedBytes ? readFile(body.file) : undefined;
}

async function withErrorPage(
  site: Site,
  reply: EdgeReply,
  request: ViewerRequest,
  incoming: IncomingMessage,
): Promise<EdgeReply> {
  const page = site.distribution.errorResponses[reply.status]?.page;
  if (page === undefined) return reply;
  const behavior = behaviorFor(site.distribution.behaviors, page.path);
  const shown = await find(
    site,
    behavior,
    { ...request, method: 'GET', uri: page.path, query: '' },
    incoming,
  );
  return shown.status === 200 ? { ...shown, status: page.status, source: 'Error from cloudfront' } : reply;
}

/**
 * Adds the headers of a policy, those of CORS only for requests that have an origin:
 * https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_ResponseHeadersPolicyCorsConfig.html
 */
function withPolicy({ responseHeaders }: CacheBehavior, reply: EdgeReply, isCors: boolean): EdgeReply {
  const { headers, age, source } = reply;
  const added = responseHeaders.filter(
    ({ name, overrides }) =>
      (overrides || headers[name] === undefined) && (isCors || !name.startsWith('access-control-')),
  );
  return {
    ...reply,
    headers: {
      ...headers,
      ...Object.fromEntries(added.map(({ name, value }) => [name, value])),
      ...(age !== undefined && { age: String(age) }),
      'x-cache': source,
    },
  };
}

async function send(
  reply: EdgeReply,
  { compresses, cache }: CacheBehavior,
  request: ViewerRequest,
  response: ServerResponse,
): Promise<void> {
  const { body, cookies = [] } = reply;
  const cookieHeader = cookies.length > 0 && { 'set-cookie': [...cookies] };
  if (!Buffer.isBuffer(body)) {
    response.writeHead(reply.status, { ...reply.headers, ...cookieHeader });
    await pipeline(createReadStream(body.file, { start: body.first, end: body.last }), response);
    return;
  }
  const sent = compresses
    ? await compressed({ ...reply, body }, request.headers['accept-encoding'], cache.encodings)
    : { ...reply, body };
  const isBare = request.method === 'HEAD' || sent.status === 204 || sent.status === 304;
  const length = !isBare && { 'content-length': String(sent.body.length) };
  response
    .writeHead(sent.status, { ...sent.headers, ...length, ...cookieHeader })
    .end(isBare ? undefined : sent.body);
}
