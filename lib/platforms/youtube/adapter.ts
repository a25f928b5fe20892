import type { IntendedJob, MediaSource, PlatformAdapter, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { Finding } from '../contract/last-call.ts';
import type { LivePost } from '../contract/live-post.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { comparableText, findListed, type Recognition } from '../shared/find-listed.ts';
import { finishInSteps, PendingError } from '../shared/finishing.ts';
import { ifReadable } from '../shared/if-readable.ts';
import { readOptions } from '../shared/options.ts';
import { uploadAbsence } from './absence.ts';
import { lastChunk } from './chunks.ts';
import { type ListedVideo, type VideoState, youtubeClient } from './client.ts';
import { permalinkOf, privacyOf, videoTitle } from './map.ts';
import { YoutubeOptions } from './options.ts';
import { Progress, prepare, theVideo } from './prepare.ts';
import { querySession, sendChunk, sessionsUrl } from './session.ts';

/**
 * The YouTube Data API. The adapter streams the file into a resumable upload session; the last byte makes the video
 * live. `lookUp` asks the session whether the upload was completed.
 */
export const youtubeAdapter: PlatformAdapter = {
  prepare,

  tokenOf: (job) => ({ sessionUri: Progress.parse(job.preparation).sessionUri }),

  absenceRule: () => uploadAbsence,

  lastCallUrl(job, tools) {
    const { sessionUri } = Progress.parse(job.preparation);
    return (sessionUri ?? sessionsUrl(tools)).replace(/\?.*/s, '');
  },

  async goLive(job, tools) {
    const { sessionUri, offset } = Progress.parse(job.preparation);
    if (sessionUri === null) throw new PlatformError('retry', 'YouTube: the upload was not started yet');
    const video = theVideo(job);
    const chunk = lastChunk(offset, video.sizeBytes);
    const limits = { totalSeconds: uploadAbsence.callSeconds, isLastCall: true } as const;
    const session = chunk
      ? await sendChunk(job, sessionUri, video, chunk, limits, tools)
      : await querySession(job, sessionUri, video.sizeBytes, tools);
    if (session.state === 'complete') return livePost(session.videoId);
    if (session.state === 'open' && session.offset >= video.sizeBytes) {
      throw new PlatformError('unknown', 'YouTube has the whole file, and has not created the video yet.');
    }
    // The session is still incomplete, or gone: nothing went live.
    throw new PlatformError('retry', 'YouTube did not accept the last part of the upload.', {
      retryAfterSeconds: 1,
    });
  },

  async lookUp(job, tools) {
    const progress = Progress.parse(job.preparation);
    const { sessionUri } = Progress.parse(job.call.token);
    if (sessionUri === null) return findUpload(job, tools);
    const { sizeBytes } = theVideo(job);
    const session = await ifReadable(() => querySession(job, sessionUri, sizeBytes, tools));
    switch (session?.state) {
      case 'complete':
        return { state: 'live', post: livePost(session.videoId, session.publishedMs) };
      case 'open': {
        const { offset } = session;
        if (offset >= sizeBytes) return { state: 'processing', waitSeconds: 5 };
        return { state: 'unseen', preparation: { ...progress, sessionUri, offset } };
      }
      case 'gone':
      case undefined:
        return findUpload(job, tools);
    }
  },

  finish(job, tools) {
    const client = youtubeClient(job, tools);
    const { cover } = job;
    const isShortWithCover = cover !== undefined && mayBeShort(theVideo(job));
    let video: VideoState | undefined;
    return finishInSteps(job, [
      async (post, waits) => {
        if (post.platformPostId === null) return post;
        video = await client.readVideo(post.platformPostId);
        requireProcessed(video, waits, isShortWithCover);
        return post;
      },
      async (post) => {
        requirePrivacy(job, video);
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
/** The same for a Short with a thumbnail: 45 minutes. Our judgement: YouTube documents no time. */
const shortPolls = 50;

/** @param isShortWithCover YouTube ignores the thumbnail of a Short until the Short is processed */
function requireProcessed(
  { processing, reason, isProcessed }: VideoState,
  waits: number,
  isShortWithCover: boolean,
): void {
  if (processing === 'failed') {
    throw new PlatformError('rejected', `YouTube could not process the video (${reason}).`);
  }
  if (isShortWithCover && !isProcessed) {
    throw new PendingError(
      'YouTube was still processing the Short, and may have ignored its thumbnail: check it in YouTube Studio.',
      shortPolls,
    );
  }
  if (processing === 'running' && waits < processingPolls) {
    throw new PlatformError('retry', 'YouTube is processing the video.', { retryAfterSeconds: 5 });
  }
}

/** A creator's own settings can make uploads private (Revision History, 2 November 2026). */
function requirePrivacy({ options }: PublishJob, video: VideoState | undefined): void {
  const wanted = privacyOf(readOptions(YoutubeOptions, options));
  const { privacyStatus: actual = wanted } = video ?? {};
  if (actual === wanted) return;
  throw new PlatformError(
    'rejected',
    `YouTube published the video as ${actual}, not as ${wanted}: the settings of the channel may force that. Change it in YouTube Studio.`,
  );
}

/**
 * Whether YouTube may show a video as a Short: square or upright, and at most three minutes long. No field of the API says
 * so. True if the shape of the file is not known. https://support.google.com/youtube/answer/15424877
 */
function mayBeShort({ widthPixels = 0, heightPixels = 0, durationSeconds = 0 }: MediaSource): boolean {
  const isWide = widthPixels > heightPixels && heightPixels > 0;
  return !isWide && durationSeconds <= 181;
}

function livePost(videoId: string, publishedMs?: number): LivePost {
  return { platformPostId: videoId, permalink: permalinkOf(videoId), publishedMs };
}

/** Searches the channel's uploads by title and time, because the session is gone or cannot be read. */
async function findUpload(job: IntendedJob, tools: PlatformTools): Promise<Finding> {
  const gone = { state: 'unseen', isGone: true } as const;
  const uploads = job.account.meta['uploadsPlaylistId'];
  const title = comparableText(videoTitle(job.content, readOptions(YoutubeOptions, job.options)));
  if (typeof uploads !== 'string' || title === '') return gone;
  const recognition: Recognition<ListedVideo> = {
    idOf: ({ id }) => id,
    createdMs: ({ publishedMs }) => publishedMs,
    likeness: (video) => (comparableText(video.title) === title ? 'text' : undefined),
  };
  const pages = youtubeClient(job, tools).listUploads(uploads);
  const found = await ifReadable(() => findListed(pages, job.call, recognition));
  return found ? { state: 'live', post: livePost(found.id, found.publishedMs) } : gone;
}
