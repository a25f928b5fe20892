import { secondMs } from '../../kernel/clock.ts';
import type { MediaSource } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformAnswer } from '../contract/http.ts';
import { type ByteRange, nextChunk } from './chunks.ts';
import type { TiktokClient } from './client.ts';
import { tiktokError } from './errors.ts';

export interface OpenUpload {
  readonly video: MediaSource;
  readonly uploadUrl: string;
  /** Bytes that TikTok is known to have. */
  readonly storedBytes: number;
  /** Epoch milliseconds. */
  readonly deadline: number;
}

/** A chunk that takes longer is sent again. */
const longestChunkSeconds = 60;
/** Kept free before the deadline, for the engine to commit what was done. */
const reserveMs = 5 * secondMs;
/** Less than this is not worth beginning a chunk for. */
const shortestChunkMs = 10 * secondMs;
const mostCorrections = 3;

/**
 * Streams chunks, one after the other, until only the last one is left or the time is over. Where TikTok wants another
 * chunk than was sent, it is believed.
 *
 * @throws PlatformError `retry` or `unknown`: the same chunk has to be sent again
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
    const answer = await client.sendChunk(uploadUrl, video, chunk, seconds);
    switch (answer.status) {
      case 206:
        storedBytes = chunk.last + 1;
        break;
      case 416:
        corrections += 1;
        if (corrections > mostCorrections) throw notTaken(chunk);
        storedBytes = storedOf(answer);
        break;
      case 403:
      case 404:
        return 'gone';
      default:
        throw chunkError(answer);
    }
  }
}

/** What an answer to a chunk means that is no progress. */
export function chunkError(answer: PlatformAnswer): PlatformError {
  const { status, call } = answer;
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
  return tiktokError(answer);
}

/** `Content-Range: bytes 0-N/TOTAL`; without it nothing is stored. */
function storedOf({ headers }: PlatformAnswer): number {
  const last = /^bytes 0-(\d{1,12})\//.exec(headers['content-range'] ?? '')?.[1];
  return last === undefined ? 0 : Number(last) + 1;
}

function notTaken({ first, last }: ByteRange): PlatformError {
  return new PlatformError('retry', `TikTok did not take the bytes ${first} to ${last}`, {
    retryAfterSeconds: 10,
  });
}
