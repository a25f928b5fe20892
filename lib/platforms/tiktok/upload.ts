import { secondMs } from '../../kernel/clock.ts';
import type { MediaSource } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformResponse } from '../contract/http.ts';
import { type ByteRange, nextChunk } from './chunks.ts';
import type { TiktokClient } from './client.ts';
import { tiktokError } from './errors.ts';

export interface OpenUpload {
  readonly video: MediaSource;
  readonly uploadUrl: string;
  /** The number of bytes that TikTok is known to have. */
  readonly storedBytes: number;
  /** Epoch milliseconds. */
  readonly deadline: number;
}

/** The time limit of one chunk, which is then sent again. */
const longestChunkSeconds = 60;
/** The time before the deadline that is reserved for committing the progress. */
const reserveMs = 5 * secondMs;
/** The time that must be left to start another chunk. */
const shortestChunkMs = 10 * secondMs;
const maxCorrections = 3;

/**
 * Streams chunks, one after the other, until only the last one is left or the time is over. If TikTok responds that it
 * expects another chunk, continues there.
 *
 * @throws PlatformError `retry` or `unknown` if the same chunk must be sent again; `rejected` if TikTok refuses it
 */
export async function uploadNext(
  { video, uploadUrl, storedBytes: known, deadline }: OpenUpload,
  client: TiktokClient,
  now: () => number,
): Promise<'only the last chunk is left' | 'time is over' | 'gone'> {
  let storedBytes = known;
  let corrections = 0;
  for (;;) {
    const chunk = nextChunk(storedBytes, video.sizeBytes);
    if (chunk === undefined) return 'only the last chunk is left';
    const leftMs = deadline - now() - reserveMs;
    if (leftMs < shortestChunkMs) return 'time is over';
    const seconds = Math.min(longestChunkSeconds, leftMs / secondMs);
    const response = await client.sendChunk(uploadUrl, video, chunk, { totalSeconds: seconds });
    switch (response.status) {
      case 206:
        storedBytes = chunk.last + 1;
        break;
      case 416:
        corrections += 1;
        if (corrections > maxCorrections) throw notAccepted(chunk);
        storedBytes = storedOf(response);
        break;
      case 403:
      case 404:
        return 'gone';
      default:
        throw chunkError(response);
    }
  }
}

/** Returns the error for a failed response to a chunk. */
export function chunkError(response: PlatformResponse): PlatformError {
  const { status, call } = response;
  if (status === 400) {
    return new PlatformError('rejected', `TikTok refused a chunk of the upload (HTTP 400 to ${call})`, {
      status,
    });
  }
  if (status === 429) {
    return new PlatformError('retry', 'TikTok: too many requests for the upload', {
      status,
      retryAfterSeconds: 60,
    });
  }
  return tiktokError(response);
}

/** Returns the number of stored bytes from `Content-Range: bytes 0-N/TOTAL`; without the header, none are stored. */
function storedOf({ headers }: PlatformResponse): number {
  const last = /^bytes 0-(\d{1,12})\//.exec(headers['content-range'] ?? '')?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}

function notAccepted({ first, last }: ByteRange): PlatformError {
  return new PlatformError('retry', `TikTok did not accept the bytes ${first} to ${last}`, {
    retryAfterSeconds: 10,
  });
}
