/** The cache of the media edge. It keeps small files only, in memory. */

import type { Clock } from '../clock.ts';
import type { DistributionResource } from '../model.ts';

export interface CachedReply {
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly storedAtMs: number;
}

export interface EdgeCache {
  get(path: string): CachedReply | undefined;
  /** Keeps the file as long as its `Cache-Control` and the cache policy say. */
  put(path: string, headers: Readonly<Record<string, string>>, body: Buffer): void;
  /** Keeps an error as long as the distribution says for its status. */
  putError(path: string, httpStatus: number, headers: Readonly<Record<string, string>>, body: string): void;
  /** Drops a path, or all that begin with it if it ends in `*`. */
  invalidate(path: string): void;
}

/** A larger file is not kept. */
export const largestCachedBytes = 1024 * 1024;
const maxFiles = 64;

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/custom-error-pages-expiration.html */
const defaultErrorSeconds = 10;

export function createEdgeCache(
  { cacheSeconds: limits, errorSeconds }: Pick<DistributionResource, 'cacheSeconds' | 'errorSeconds'>,
  clock: Clock,
): EdgeCache {
  const files = new Map<string, CachedReply & { readonly endsAtMs: number }>();
  function keep(path: string, reply: Omit<CachedReply, 'storedAtMs'>, seconds: number): void {
    if (seconds <= 0) return;
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
    put(path, headers, body) {
      const [, maxAge] = /(?:^|[\s,])max-age=(\d+)/.exec(headers['cache-control'] ?? '') ?? [];
      const asked = maxAge === undefined ? limits.default : Number(maxAge);
      const seconds = Math.min(Math.max(asked, limits.min), limits.max);
      if (body.length <= largestCachedBytes) keep(path, { httpStatus: 200, headers, body }, seconds);
    },
    putError(path, httpStatus, headers, body) {
      const seconds = errorSeconds[httpStatus] ?? defaultErrorSeconds;
      keep(path, { httpStatus, headers, body: Buffer.from(body) }, seconds);
    },
    invalidate(path) {
      if (!path.endsWith('*')) files.delete(path);
      else for (const key of files.keys()) if (key.startsWith(path.slice(0, -1))) files.delete(key);
    },
  };
}
