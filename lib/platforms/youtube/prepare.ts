import * as z from 'zod';
import { secondMs } from '../../kernel/clock.ts';
import type { MediaSource, PrepareStep, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { type ByteRange, nextChunk } from './chunks.ts';
import { querySession, sendChunk, startSession } from './session.ts';

/** What is left between two steps. */
export const Progress = z.object({
  sessionUri: z.string().nullable().catch(null),
  /** Bytes that YouTube is known to have. */
  offset: z.int().catch(0),
  /** How many sessions were begun: each counts against the daily number of uploads. */
  sessions: z.int().catch(0),
});
export type Progress = z.infer<typeof Progress>;

const mostSessions = 3;
/** A chunk that takes longer is sent again from where it ended. */
const longestChunkSeconds = 120;
/** Kept free before the deadline, for the engine to commit what was done. */
const reserveMs = 5 * secondMs;
/** Less than this is not worth beginning a chunk for. */
const shortestChunkMs = 10 * secondMs;

/**
 * Begins a session, whose address has to be committed before any byte is sent, then streams chunks until only the
 * last one is left. YouTube is asked for its offset on every entry: it alone knows what it has kept.
 */
export async function prepare(job: PublishJob, tools: PlatformTools): Promise<PrepareStep> {
  const video = theVideo(job);
  const progress = Progress.parse(job.preparation);
  const { sessionUri } = progress;
  if (sessionUri === null) return newSession(job, video, progress, tools);

  let session = await querySession(job, sessionUri, video.sizeBytes, tools);
  for (;;) {
    if (session.state === 'gone') return newSession(job, video, progress, tools);
    // Complete: an earlier last call did take effect, and the next one will find that out.
    if (session.state === 'complete') return { state: 'ready', preparation: progress };
    const { offset } = session;
    const chunk = nextChunk(offset, video.sizeBytes);
    if (chunk === undefined) return { state: 'ready', preparation: { ...progress, offset } };
    const leftMs = job.deadline - tools.now() - reserveMs;
    if (leftMs < shortestChunkMs) return { state: 'continue', preparation: { ...progress, offset } };
    const seconds = Math.min(longestChunkSeconds, leftMs / secondMs);
    session = await sendChunk(job, sessionUri, video, chunk, seconds, tools);
    if (session.state === 'open' && session.offset <= offset) throw noProgress(chunk);
  }
}

async function newSession(
  job: PublishJob,
  video: MediaSource,
  { sessions }: Progress,
  tools: PlatformTools,
): Promise<PrepareStep> {
  if (sessions >= mostSessions) {
    throw new PlatformError('rejected', `YouTube lost the upload ${sessions} times.`);
  }
  const sessionUri = await startSession(job, video, tools);
  return { state: 'continue', preparation: { sessionUri, offset: 0, sessions: sessions + 1 } };
}

/** @throws PlatformError `rejected` where the rules were not kept */
export function theVideo({ media }: Pick<PublishJob, 'media'>): MediaSource {
  const [video] = media;
  if (video?.type === 'video') return video;
  throw new PlatformError('rejected', 'YouTube needs exactly one video.');
}

function noProgress({ first, last }: ByteRange): PlatformError {
  return new PlatformError('retry', `YouTube kept nothing of the bytes ${first} to ${last}.`);
}
