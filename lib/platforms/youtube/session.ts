import * as z from 'zod';
import type { MediaSource, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformAnswer } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { quote, readAnswer } from '../shared/json.ts';
import { uploadRoot } from './addresses.ts';
import type { ByteRange } from './chunks.ts';
import { requireSuccess } from './errors.ts';
import { uploadStart } from './map.ts';

/** What a resumable upload says of itself ("Resumable Uploads" guide, steps 3 to 5). */
export type SessionState =
  | { readonly state: 'open'; readonly offset: number }
  | { readonly state: 'complete'; readonly videoId: string }
  /** Unknown to YouTube or too old: nothing more comes of it. */
  | { readonly state: 'gone' };

/**
 * Begins an upload. Nothing is on the channel yet, and nothing will be before the last byte.
 *
 * @returns the session's address, which is as good as the right to upload: it is kept, never logged
 */
export async function startSession(
  job: PublishJob,
  video: MediaSource,
  tools: PlatformTools,
): Promise<string> {
  const { query, video: metadata } = uploadStart(job);
  const answer = await tools.http.send({
    method: 'POST',
    url: `${uploadRoot(tools)}/videos`,
    query,
    bearer: job.accessToken,
    headers: {
      'x-upload-content-type': video.contentType,
      'x-upload-content-length': String(video.sizeBytes),
    },
    body: { json: metadata },
  });
  const { location } = requireSuccess(answer, tools.now()).headers;
  // The token is sent to this address: it has to be Google's.
  if (location === undefined || !isGoogleAddress(location)) {
    throw new PlatformError('unknown', 'YouTube gave no address for the upload', { status: answer.status });
  }
  return location;
}

export async function querySession(
  job: PublishJob,
  sessionUri: string,
  sizeBytes: number,
  tools: PlatformTools,
): Promise<SessionState> {
  const answer = await tools.http.send({
    method: 'PUT',
    url: sessionUri,
    bearer: job.accessToken,
    headers: { 'content-range': `bytes */${sizeBytes}` },
    body: { empty: true },
  });
  return readState(answer, tools.now());
}

/** Streams one chunk. @param totalSeconds limit of the call */
export async function sendChunk(
  job: PublishJob,
  sessionUri: string,
  video: MediaSource,
  { first, last }: ByteRange,
  totalSeconds: number,
  tools: PlatformTools,
): Promise<SessionState> {
  const answer = await tools.http.send({
    method: 'PUT',
    url: sessionUri,
    bearer: job.accessToken,
    headers: { 'content-range': `bytes ${first}-${last}/${video.sizeBytes}` },
    body: {
      open: () => video.openRange(first, last),
      contentType: video.contentType,
      sizeBytes: last - first + 1,
    },
    totalSeconds,
  });
  return readState(answer, tools.now());
}

const Video = z.object({ id: z.string().min(1) });

function readState(answer: PlatformAnswer, now: number): SessionState {
  if (answer.status === 308) return { state: 'open', offset: storedBytes(answer) };
  if (answer.status === 404 || answer.status === 410) return { state: 'gone' };
  requireSuccess(answer, now);
  return { state: 'complete', videoId: readAnswer(Video, answer).id };
}

/** `Range: bytes=0-N`; without it nothing is stored. YouTube may have kept less than was sent. */
function storedBytes(answer: PlatformAnswer): number {
  const { range } = answer.headers;
  if (range === undefined) return 0;
  const last = /^bytes=0-(\d{1,15})$/.exec(range)?.[1];
  if (last === undefined)
    throw new PlatformError('unknown', `YouTube answered an odd range: ${quote(range)}`);
  return Number(last) + 1;
}

function isGoogleAddress(url: string): boolean {
  return URL.canParse(url) && /^https:\/\/([a-z0-9-]+\.)*googleapis\.com\//.test(new URL(url).href);
}
