import { createHash } from 'node:crypto';
import type { LiveMedia } from '../live-post.ts';
import type { Workbench } from '../types.ts';
import { endsJpeg, type JpegFacts, readJpeg } from './jpeg.ts';
import { type Mp4Facts, mp4Scanner } from './mp4.ts';
import { robotsAllow } from './robots.ts';
import { readWebm, type WebmFacts } from './webm.ts';

/** The facts that `measureMedia` finds in a file. */
export interface MeasuredMedia extends LiveMedia {
  /** Absent if the file is no JPEG, or is cut off. */
  readonly jpeg?: JpegFacts;
  readonly mp4?: Mp4Facts;
  readonly webm?: WebmFacts;
  /** True for a PNG or a WebP whose end is missing. */
  readonly isCutImage?: true;
}

/** Number of bytes of the beginning and of the end of a file that are kept. */
const keptBytes = 1024 * 1024;

/** Counts, hashes and inspects a file while it streams. Keeps only the first and the last MiB, and what describes a video. */
export async function measureMedia(chunks: AsyncIterable<Uint8Array>, type: string): Promise<MeasuredMedia> {
  const hash = createHash('sha256');
  const scanner = mp4Scanner();
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let bytes = 0;
  let tailBytes = 0;
  for await (const piece of chunks) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    if (bytes < keptBytes) head.push(Buffer.from(chunk.subarray(0, keptBytes - bytes)));
    tail.push(Buffer.from(chunk));
    tailBytes += chunk.length;
    while (tailBytes - (tail[0]?.length ?? 0) >= keptBytes) tailBytes -= tail.shift()?.length ?? 0;
    bytes += chunk.length;
    hash.update(chunk);
    scanner.write(chunk);
  }
  const [start, end] = [Buffer.concat(head), Buffer.concat(tail)];
  const jpeg = endsJpeg(end) ? readJpeg(start) : undefined;
  const [mp4, webm] = [scanner.facts(), readWebm(start, end, bytes)];
  return {
    type,
    bytes,
    sha256: hash.digest('hex'),
    ...(jpeg && { jpeg }),
    ...(mp4 && { mp4 }),
    ...(webm && { webm }),
    ...(isCutImage(start, end, bytes) && { isCutImage: true }),
  };
}

function isCutImage(start: Buffer, end: Buffer, bytes: number): boolean {
  if (start.toString('latin1', 1, 4) === 'PNG') return !end.includes('IEND');
  return start.toString('latin1', 8, 12) === 'WEBP' && start.readUInt32LE(4) + 8 > bytes;
}

/** Returns the part of a measured file that is stored with a live post. */
export function liveMedia({ type, bytes, sha256 }: LiveMedia): LiveMedia {
  return { type, bytes, sha256 };
}

export type FetchProblem = 'refused' | 'timeout' | 'stopped';

export type FetchOutcome =
  | { readonly ok: true; readonly media: MeasuredMedia }
  | { readonly ok: false; readonly problem: FetchProblem; readonly reason: string };

export interface MediaFetcher {
  /** The user agent. It begins with the product token that robots.txt files name it by. */
  readonly userAgent: string;
  readonly timeoutSeconds: number;
  /** Ends the fetch with `stopped`: the simulator is stopping and will fetch again after its next start. */
  readonly stop: AbortSignal;
  /** Replaces the global `fetch`, and enforces its own time limits: there is no timeout. */
  readonly fetch?: typeof fetch;
}

/** Makes a fetcher of a platform. */
export function mediaFetcher(
  { background, fetch }: Pick<Workbench, 'background' | 'fetch'>,
  userAgent: string,
  timeoutSeconds: number,
): MediaFetcher {
  return { userAgent, timeoutSeconds, stop: background.stopping, ...(fetch !== undefined && { fetch }) };
}

/**
 * Fetches a file under the strictest rules of the platforms that pull media. The address must be public https, plain
 * ASCII, without credentials and allowed by robots.txt; it must answer 200 with a content type, without a redirect.
 * Loopback http counts as public https.
 */
export async function fetchMedia(address: string, fetcher: MediaFetcher): Promise<FetchOutcome> {
  const refused = (reason: string): FetchOutcome => ({ ok: false, problem: 'refused', reason });
  if (!isPublicAddress(address)) return refused('not a public https address');
  const signal = fetcher.fetch === undefined ? timeLimit(fetcher) : fetcher.stop;
  const fetchNow = fetcher.fetch ?? fetch;
  const request = {
    redirect: 'manual' as const,
    headers: { 'user-agent': fetcher.userAgent },
    signal,
  };
  try {
    if (!(await mayCrawl(new URL(address), request, fetchNow))) return refused('forbidden by robots.txt');
    const response = await fetchNow(address, request);
    const type = response.headers.get('content-type')?.split(';')[0]?.trim();
    if (response.status !== 200 || !type || response.body === null) {
      await response.body?.cancel();
      return refused(response.status === 200 ? 'no content type' : `status ${response.status}`);
    }
    return { ok: true, media: await measureMedia(response.body, type) };
  } catch (error) {
    if (fetcher.stop.aborted) return { ok: false, problem: 'stopped', reason: 'the simulator is stopping' };
    if (isTimeout(signal.reason) || isTimeout(error))
      return { ok: false, problem: 'timeout', reason: `took longer than ${fetcher.timeoutSeconds} seconds` };
    return refused(error instanceof Error ? error.message : String(error));
  }
}

function timeLimit({ timeoutSeconds, stop }: MediaFetcher): AbortSignal {
  return AbortSignal.any([AbortSignal.timeout(timeoutSeconds * 1000), stop]);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

async function mayCrawl(
  { origin, pathname, search }: URL,
  request: { headers: { 'user-agent': string } },
  fetchNow: typeof fetch,
) {
  const response = await fetchNow(`${origin}/robots.txt`, request);
  const robots = await response.text();
  if (response.status !== 200) return true;
  const crawler = request.headers['user-agent'].split('/')[0] ?? '';
  return robotsAllow(robots, crawler, pathname + search);
}

function isPublicAddress(address: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(address) || !URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username !== '' || password !== '') return false;
  const isLoopback =
    ['127.0.0.1', 'localhost', '[::1]'].includes(hostname) || hostname.endsWith('.localhost');
  return protocol === 'https:' || (protocol === 'http:' && isLoopback);
}
