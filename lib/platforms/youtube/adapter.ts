import { secondMs } from '../../kernel/clock.ts';
import type { IntendedJob, LivePost, PlatformAdapter, Reconciliation } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import { finishInSteps } from '../shared/finishing.ts';
import { readOptions } from '../shared/options.ts';
import { lastChunk } from './chunks.ts';
import { type Processing, youtubeClient } from './client.ts';
import { permalinkOf, videoTitle } from './map.ts';
import { YoutubeOptions } from './options.ts';
import { Progress, prepare, theVideo } from './prepare.ts';
import { querySession, sendChunk } from './session.ts';

/**
 * The YouTube Data API: bytes are streamed into a resumable session, and the video is there with the last of them.
 * The session is also what makes an unknown outcome known: it tells whether it was completed.
 */
export const youtubeAdapter: PlatformAdapter = {
  prepare,

  async goLive(job, tools) {
    const { sessionUri, offset } = Progress.parse(job.preparation);
    if (sessionUri === null) throw new PlatformError('retry', 'YouTube: there is no upload yet');
    const video = theVideo(job);
    const chunk = lastChunk(offset, video.sizeBytes);
    const session = await sendChunk(job, sessionUri, video, chunk, lastCallSeconds, tools);
    if (session.state === 'complete') return livePost(session.videoId);
    // The session says itself that it is not complete, or no longer there: nothing went live.
    throw new PlatformError('retry', 'YouTube did not take the end of the upload.', { retryAfterSeconds: 1 });
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
        return lostSession(job, youtubeClient(job, tools), tools.now());
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
 * The worst files fail within seconds, and those failures are shown. Processing as a whole takes minutes to hours, and
 * nobody waits for that.
 */
const processingLooks = 2;

function reportProcessing({ state, reason }: Processing, waits: number): void {
  if (state === 'failed') {
    throw new PlatformError('rejected', `YouTube could not process the video (${reason}).`);
  }
  if (state === 'running' && waits < processingLooks) {
    throw new PlatformError('retry', 'YouTube is processing the video.', { retryAfterSeconds: 5 });
  }
}

/** The last chunk is 256 KiB at most; after that YouTube makes the video. */
const lastCallSeconds = 60;

/** Their clock and ours may differ by this much. */
const clockSlackMs = 30 * secondMs;
/** A completed session answers for days. One that is gone within minutes leaves only the list of uploads to look at. */
const longestSearchMs = 600 * secondMs;

function livePost(videoId: string): LivePost {
  return { platformPostId: videoId, permalink: permalinkOf(videoId) };
}

async function lostSession(
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
    const isOurs = video.title === title && Date.parse(video.publishedAt) >= job.intentAt - clockSlackMs;
    if (isOurs && !(await job.isTaken?.(video.id))) return { state: 'live', post: livePost(video.id) };
  }
  return now - job.intentAt < longestSearchMs ? { state: 'pending', waitSeconds: 30 } : unknown;
}
