import * as z from 'zod';
import type { MediaSource, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { CallLimits, PlatformResponse } from '../contract/http.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { quote, readResponse } from '../shared/json.ts';
import type { ByteRange } from './chunks.ts';
import { epochMs, uploadRoot } from './client.ts';
import { requireSuccess } from './errors.ts';
import { uploadStart } from './map.ts';

/** The state of a resumable upload ("Resumable Uploads" guide, steps 3 to 5). */
export type SessionState =
  | { readonly state: 'open'; readonly offset: number }
  | {
      readonly state: 'complete';
      readonly videoId: string;
      /** The time at which the video was published, in epoch milliseconds, if YouTube says so. */
      readonly publishedMs: number | undefined;
    }
  /** YouTube does not know the session, or it has expired. It can no longer be completed. */
  | { readonly state: 'gone' };

/** Returns the URL that starts sessions. A session's own URL usually has the same host. */
export function sessionsUrl(tools: PlatformTools): string {
  return `${uploadRoot(tools)}/videos`;
}

/**
 * Starts an upload. Nothing appears on the channel before the last byte.
 *
 * @param privacyStatus the privacy of the uploaded video
 * @returns the session's URL. It authorizes the upload, so it is stored but must never be logged
 */
export async function startSession(
  job: PublishJob,
  video: MediaSource,
  privacyStatus: string,
  tools: PlatformTools,
): Promise<string> {
  const { query, video: metadata } = uploadStart(job, privacyStatus);
  const response = await tools.http.send({
    method: 'POST',
    url: sessionsUrl(tools),
    query,
    bearer: job.accessToken,
    headers: {
      'x-upload-content-type': video.contentType,
      'x-upload-content-length': String(video.sizeBytes),
    },
    body: { json: metadata },
  });
  const { location } = requireSuccess(response, tools.now()).headers;
  // The URL must be Google's: Herald sends the token to it.
  if (location === undefined || !isGoogleUrl(location)) {
    throw new PlatformError('unknown', 'YouTube returned no URL for the upload', { status: response.status });
  }
  return location;
}

/** Reads the stored size of the file or, if YouTube has the whole file, the video. */
export async function querySession(
  job: Pick<PublishJob, 'accessToken'>,
  sessionUri: string,
  sizeBytes: number,
  tools: PlatformTools,
): Promise<SessionState> {
  const response = await tools.http.send({
    method: 'PUT',
    url: sessionUri,
    bearer: job.accessToken,
    headers: { 'content-range': `bytes */${sizeBytes}` },
    body: { empty: true },
  });
  return readState(response, tools.now());
}

/** Streams one chunk. @param limits the limits of the call, marked as the last call if its last byte makes the video live */
export async function sendChunk(
  job: PublishJob,
  sessionUri: string,
  video: MediaSource,
  { first, last }: ByteRange,
  limits: CallLimits,
  tools: PlatformTools,
): Promise<SessionState> {
  const response = await tools.http.send({
    method: 'PUT',
    url: sessionUri,
    bearer: job.accessToken,
    headers: { 'content-range': `bytes ${first}-${last}/${video.sizeBytes}` },
    body: {
      open: () => video.openRange(first, last),
      contentType: video.contentType,
      sizeBytes: last - first + 1,
    },
    ...limits,
  });
  return readState(response, tools.now());
}

const Video = z.object({
  id: z.string().min(1),
  snippet: z.object({ publishedAt: z.string() }).optional().catch(undefined),
});

function readState(response: PlatformResponse, now: number): SessionState {
  if (response.status === 308) return { state: 'open', offset: storedBytes(response) };
  if (response.status === 404 || response.status === 410) return { state: 'gone' };
  requireSuccess(response, now);
  const { id, snippet } = readResponse(Video, response);
  return { state: 'complete', videoId: id, publishedMs: epochMs(snippet?.publishedAt) };
}

/** Returns the number of stored bytes from `Range: bytes=0-N`; without the header, none are stored. May be less than was sent. */
function storedBytes(response: PlatformResponse): number {
  const { range } = response.headers;
  if (range === undefined) return 0;
  const last = /^bytes=0-(\d{1,15})$/.exec(range)?.[1];
  if (last === undefined)
    throw new PlatformError('unknown', `YouTube sent an unexpected Range header: ${quote(range)}`);
  return Number(last) + 1;
}

function isGoogleUrl(url: string): boolean {
  return URL.canParse(url) && /^https:\/\/([a-z0-9-]+\.)*googleapis\.com\//.test(new URL(url).href);
}
