/** The cache of an edge. It keeps small replies only, in memory. */

import type { Clock } from '../clock.ts';
import type { CachePolicyResource, DistributionResource } from '../model.ts';

export interface CachedReply {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly storedAtMs: number;
}

export interface EdgeCache {
  get(path: string): CachedReply | undefined;
  /** Keeps the reply as long as its `Cache-Control` and the cache policy say. */
  put(path: string, policy: CachePolicyResource, reply: Omit<CachedReply, 'storedAtMs'>): void;
  /** Keeps an error as long as the distribution says for its status. */
  putError(path: string, reply: Omit<CachedReply, 'storedAtMs'>): void;
  /** Drops a path, or all paths that begin with it if it ends in `*`. */
  invalidate(path: string): void;
}

/** The maximum size of a cached file. */
export const largestCachedBytes = 1024 * 1024;
const maxFiles = 64;

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages-expiration.html */
const defaultErrorSeconds = 10;

/**
 * The errors that are kept regardless of their headers and the cache policy.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/http-4xx-5xx-status-codes.html
 */
const alwaysKept = [404, 414, 500, 501, 502, 503, 504];

export function createEdgeCache(
  { errorResponses }: Pick<DistributionResource, 'errorResponses'>,
  clock: Clock,
): EdgeCache {
  const files = new Map<string, CachedReply & { readonly endsAtMs: number }>();
  function keep(path: string, reply: Omit<CachedReply, 'storedAtMs'>, seconds: number): void {
    if (seconds <= 0 || reply.body.length > largestCachedBytes) return;
    const [oldest] = files.keys();
    if (files.size >= maxFiles && oldest !== undefined) files.delete(oldest);
    const storedAtMs = clock.now();
    files.set(path, { ...reply, storedAtMs, endsAtMs: storedAtMs + seconds * 1_000 });
  }
  return {
    get(path) {
      const file = files.get(path);
      return file && file.endsAtMs > clock.now() ? file : undefined;
    },
    put(path, { minSeconds, defaultSeconds, maxSeconds }, reply) {
      const asked = secondsAskedFor(reply.headers) ?? defaultSeconds;
      keep(path, reply, Math.min(Math.max(asked, minSeconds), maxSeconds));
    },
    putError(path, reply) {
      const configured = errorResponses[reply.httpStatus]?.cacheSeconds;
      const least = configured ?? (alwaysKept.includes(reply.httpStatus) ? defaultErrorSeconds : 0);
      keep(path, reply, Math.max(least, secondsAskedFor(reply.headers) ?? 0));
    },
    invalidate(path) {
      if (!path.endsWith('*')) files.delete(path);
      else for (const key of files.keys()) if (key.startsWith(path.slice(0, -1))) files.delete(key);
    },
  };
}

/** Returns the seconds that `Cache-Control` asks shared caches for. */
function secondsAskedFor(headers: CachedReply['headers']): number | undefined {
  const control = headers['cache-control'] ?? '';
  if (/(?:^|[\s,])(?:no-store|no-cache|private)\b/.test(control)) return 0;
  const [, forShared] = /(?:^|[\s,])s-maxage=(\d+)/.exec(control) ?? [];
  const [, forAll] = /(?:^|[\s,])max-age=(\d+)/.exec(control) ?? [];
  const seconds = forShared ?? forAll;
  return seconds === undefined ? undefined : Number(seconds);
}
