import { secondMs } from '../../kernel/clock.ts';
import type { MediaSource, PrepareStep, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import { uploadIdOf } from '../contract/live-post.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { readOptions } from '../shared/options.ts';
import { type ByteRange, lastChunk, nextChunk } from './chunks.ts';
import { mayChangeVideos } from './features.ts';
import { metadataDigest, notifiesSubscribers, privacyOf } from './map.ts';
import { YoutubeOptions } from './options.ts';
import { prepareVideo } from './private-video.ts';
import { Progress, theVideo } from './progress.ts';
import { querySession, sendChunk, startSession } from './session.ts';

const maxSessions = 3;
/** The time between two questions for the video of a session that has the whole file. */
const namingSeconds = 5;
/** The time limit of one chunk. The next attempt continues after the last stored byte. */
const longestChunkSeconds = 120;
/** The time before the deadline that is reserved for committing the progress. */
const reserveMs = 5 * secondMs;
/** The time that must be left to start another chunk. */
const shortestChunkMs = 10 * secondMs;

/**
 * Starts a session, then streams chunks: all of them for a private video, which is then completed; otherwise until only the last one
 * is left. The session's URL must be committed before any byte is sent. Each call first reads the stored offset from YouTube,
 * which may have stored less than was sent.
 */
export async function prepare(job: PublishJob, tools: PlatformTools): Promise<PrepareStep> {
  const video = theVideo(job);
  const progress = Progress.parse(job.preparation);
  const { uploadId, videoId } = progress;
  const isPrivate = uploadId !== null;
  const sessionUri = uploadId ?? progress.sessionUri;
  if (isPrivate && progress.notifies !== notifiesSubscribers(job))
    return newSession(job, video, { ...progress, sessions: 0 }, tools);
  if (videoId !== null) return prepareVideo(job, { ...progress, videoId }, tools);
  if (sessionUri === null) return newSession(job, video, progress, tools);

  let session = await querySession(job, sessionUri, video.sizeBytes, tools);
  for (;;) {
    // Safe, because the outcome of each earlier last call is known: none of them completed this session.
    if (session.state === 'gone') return newSession(job, video, progress, tools);
    if (isPrivate && session.state === 'complete') {
      const preparation = { ...progress, offset: video.sizeBytes, videoId: session.videoId };
      return { state: 'continue', preparation };
    }
    // YouTube has the whole file. A last call that completes the upload then has no bytes to send, and asks for the video.
    const offset = session.state === 'complete' ? video.sizeBytes : session.offset;
    const last = isPrivate ? lastChunk(offset, video.sizeBytes) : undefined;
    const chunk = nextChunk(offset, video.sizeBytes) ?? last;
    if (chunk === undefined && isPrivate)
      return { state: 'waiting', preparation: { ...progress, offset }, waitSeconds: namingSeconds };
    if (chunk === undefined) return { state: 'ready', preparation: { ...progress, offset } };
    const leftMs = job.deadline - tools.now() - reserveMs;
    if (leftMs < shortestChunkMs) return { state: 'continue', preparation: { ...progress, offset } };
    const seconds = Math.min(longestChunkSeconds, leftMs / secondMs);
    session = await sendChunk(job, sessionUri, video, chunk, { totalSeconds: seconds }, tools);
    if (session.state === 'open' && session.offset <= offset) throw noProgress(chunk);
  }
}

/** Returns true if YouTube lacks more of the file than the last call sends: nothing of a private video is left to that call. */
export function sendsFile(job: Pick<PublishJob, 'media' | 'preparation'>): boolean {
  const { sessionUri, offset, videoId } = Progress.parse(job.preparation);
  const [video] = job.media;
  if (video?.type !== 'video') return false;
  if (uploadIdOf(job.preparation) !== undefined) return videoId === null;
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
  const isPrivate = mayChangeVideos(job.account.scopes);
  const wanted = privacyOf(readOptions(YoutubeOptions, job.options));
  const sessionUri = await startSession(job, video, isPrivate ? 'private' : wanted, tools);
  const begun = { offset: 0, sessions: sessions + 1 };
  if (!isPrivate) return { state: 'continue', preparation: { sessionUri, ...begun } };
  return {
    state: 'continue',
    preparation: {
      ...begun,
      uploadId: sessionUri,
      sizeBytes: video.sizeBytes,
      notifies: notifiesSubscribers(job),
      metadata: metadataDigest(job),
    },
  };
}

function noProgress({ first, last }: ByteRange): PlatformError {
  return new PlatformError('retry', `YouTube did not store the bytes ${first} to ${last}.`);
}
