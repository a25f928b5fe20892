import { secondMs } from '../../kernel/clock.ts';
import type { IntendedJob, LivePost, PlatformAdapter, Reconciliation } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import { finishInSteps } from '../shared/finishing.ts';
import { isNotOlder } from '../shared/listed-posts.ts';
import { readOptions } from '../shared/options.ts';
import { lastChunk } from './chunks.ts';
import { type Processing, youtubeClient } from './client.ts';
import { permalinkOf, videoTitle } from './map.ts';
import { YoutubeOptions } from './options.ts';
import { Progress, prepare, theVideo } from './prepare.ts';
import { querySession, sendChunk, sessionsUrl } from './session.ts';

/**
 * The YouTube Data API. The adapter streams the file into a resumable upload session; the last byte makes the video
 * live. `reconcile` asks the session whether the upload was completed.
 */
export const youtubeAdapter: PlatformAdapter = {
  prepare,

  lastCallUrl(job, tools) {
    const { sessionUri } = Progress.parse(job.preparation);
    return (sessionUri ?? sessionsUrl(tools)).replace(/\?.*/s, '');
  },

  async goLive(job, tools) {
    const { sessionUri, offset } = Progress.parse(job.preparation);
    if (sessionUri === null) throw new PlatformError('retry', 'YouTube: the upload was not started yet');
    const video = theVideo(job);
    const chunk = lastChunk(offset, video.sizeBytes);
    const session = await sendChunk(job, sessionUri, video, chunk, lastCall, tools);
    if (session.state === 'complete') return livePost(session.videoId);
    // The session is still incomplete, or gone: nothing went live.
    throw new PlatformError('retry', 'YouTube did not accept the last part of the upload.', {
      retryAfterSeconds: 1,
    });
  },

  async reconcile(job, tools) {
    const progress = Progress.parse(job.preparation);
    if (progress.sessionUri === null) return { state: 'absent', preparation: {} };
    const session = await querySession(job, progress.sessionUri, theVideo(job).sizeBytes, tools);
    switch (session.state) {
      case 'complete':
        return { state: 'live', post: livePost(session.videoId) };
      case 'open':
        return { state: 'absent', preparation: { ...progress, offset: session.offset } };
      case 'gone':
        return findUpload(job, youtubeClient(job, tools), tools.now());
    }
  },

  finish(job, tools) {
    const client = youtubeClient(job, tools);
    const { cover } = job;
    return finishInSteps(job, [
      async (post, waits) => {
        const { platformPostId } = post;
        if (platformPostId !== null) reportProcessing(await client.processing(platformPostId), waits);
        return post;
      },
      async (post) => {
        if (cover && post.platformPostId !== null) await client.setThumbnail(post.platformPostId, cover);
        return post;
      },
    ]);
  },
};

/**
 * How often finishing waits for processing. Unreadable files fail within seconds, and that failure becomes a warning.
 * Complete processing takes minutes to hours, which is too long to wait.
 */
const processingPolls = 2;

function reportProcessing({ state, reason }: Processing, waits: number): void {
  if (state === 'failed') {
    throw new PlatformError('rejected', `YouTube could not process the video (${reason}).`);
  }
  if (state === 'running' && waits < processingPolls) {
    throw new PlatformError('retry', 'YouTube is processing the video.', { retryAfterSeconds: 5 });
  }
}

/** The last chunk has at most 256 KiB, but YouTube creates the video before it responds. */
const lastCall = { totalSeconds: 60, isLastCall: true } as const;

/** How long to search the list of uploads if the session is gone. Normally a completed session responds for days. */
const longestSearchMs = 600 * secondMs;

function livePost(videoId: string): LivePost {
  return { platformPostId: videoId, permalink: permalinkOf(videoId) };
}

/** Searches the channel's uploads by title and time, because the session is gone. */
async function findUpload(
  job: IntendedJob,
  client: ReturnType<typeof youtubeClient>,
  now: number,
): Promise<Reconciliation> {
  const uploads = job.account.meta['uploadsPlaylistId'];
  const unknown = { state: 'unknown', where: "the channel's videos in YouTube Studio" } as const;
  if (typeof uploads !== 'string') return unknown;
  const title = videoTitle(job.content, readOptions(YoutubeOptions, job.options));
  const listed = await client.listUploads(uploads);
  for (const video of listed) {
    const isOurs = video.title === title && isNotOlder(video.publishedAt, job.intentAt);
    if (isOurs && !(await job.isTaken?.(video.id))) return { state: 'live', post: livePost(video.id) };
  }
  return now - job.intentAt < longestSearchMs ? { state: 'pending', waitSeconds: 30 } : unknown;
}
