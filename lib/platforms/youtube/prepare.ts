import * as z from 'zod';
import { secondMs } from '../../kernel/clock.ts';
import type { MediaSource, PrepareStep, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { type ByteRange, nextChunk } from './chunks.ts';
import { querySession, sendChunk, startSession } from './session.ts';

/** The preparation as the steps store it. */
export const Progress = z.object({
  sessionUri: z.string().nullable().catch(null),
  /** The number of bytes that YouTube is known to have. */
  offset: z.int().catch(0),
  /** The number of sessions that were started. Each counts against the daily number of uploads. */
  sessions: z.int().catch(0),
});
export type Progress = z.infer<typeof Progress>;

const maxSessions = 3;
/** The time limit of one chunk. The next attempt continues after the last stored byte. */
const longestChunkSeconds = 120;
/** The time before the deadline that is reserved for committing the progress. */
const reserveMs = 5 * secondMs;
/** The time that must be left to start another chunk. */
const shortestChunkMs = 10 * secondMs;

/**
 * Starts a session, then streams chunks until only the last one is left. The session's URL must be committed before any
 * byte is sent. Each call first reads the stored offset from YouTube, which may have stored less than was sent.
 */
export async function prepare(job: PublishJob, tools: PlatformTools): Promise<PrepareStep> {
  const video = theVideo(job);
  const progress = Progress.parse(job.preparation);
  const { sessionUri } = progress;
  if (sessionUri === null) return newSession(job, video, progress, tools);

  let session = await querySession(job, sessionUri, video.sizeBytes, tools);
  for (;;) {
    // Safe, because the outcome of each earlier last call is known: none of them completed this session.
    if (session.state === 'gone') return newSession(job, video, progress, tools);
    // YouTube has the whole file. The last call then has no bytes to send, and asks for the video.
    const offset = session.state === 'complete' ? video.sizeBytes : session.offset;
    const chunk = nextChunk(offset, video.sizeBytes);
    if (chunk === undefined) return { state: 'ready', preparation: { ...progress, offset } };
    const leftMs = job.deadline - tools.now() - reserveMs;
    if (leftMs < shortestChunkMs) return { state: 'continue', preparation: { ...progress, offset } };
    const seconds = Math.min(longestChunkSeconds, leftMs / secondMs);
    session = await sendChunk(job, sessionUri, video, chunk, { totalSeconds: seconds }, tools);
    if (session.state === 'open' && session.offset <= offset) throw noProgress(chunk);
  }
}

/** Returns true if YouTube lacks more of the file than the last call sends. */
export function sendsFile(job: Pick<PublishJob, 'media' | 'preparation'>): boolean {
  const { sessionUri, offset } = Progress.parse(job.preparation);
  const [video] = job.media;
  if (video?.type !== 'video') return false;
  return sessionUri === null || nextChunk(offset, video.sizeBytes) !== undefined;
}

async function newSession(
  job: PublishJob,
  video: MediaSource,
  { sessions }: Progress,
  tools: PlatformTools,
): Promise<PrepareStep> {
  if (sessions >= maxSessions) {
    throw new PlatformError('rejected', `YouTube lost the upload ${sessions} times.`);
  }
  const sessionUri = await startSession(job, video, tools);
  return { state: 'continue', preparation: { sessionUri, offset: 0, sessions: sessions + 1 } };
}

/** Returns the job's video. @throws PlatformError `rejected` if the first file is not a video */
export function theVideo({ media }: Pick<PublishJob, 'media'>): MediaSource {
  const [video] = media;
  if (video?.type === 'video') return video;
  throw new PlatformError('rejected', 'YouTube needs exactly one video.');
}

function noProgress({ first, last }: ByteRange): PlatformError {
  return new PlatformError('retry', `YouTube did not store the bytes ${first} to ${last}.`);
}
