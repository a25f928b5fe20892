import type { IntendedJob, PlatformAdapter } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { Finding } from '../contract/last-call.ts';
import type { LivePost } from '../contract/live-post.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { comparableText, findListed, type Recognition } from '../shared/find-listed.ts';
import { ifReadable } from '../shared/if-readable.ts';
import { readOptions } from '../shared/options.ts';
import { uploadAbsence } from './absence.ts';
import { lastChunk } from './chunks.ts';
import { type ListedVideo, youtubeClient } from './client.ts';
import { finish } from './finish.ts';
import { permalinkOf, videoTitle } from './map.ts';
import { YoutubeOptions } from './options.ts';
import { Progress, prepare, sendsFile, theVideo } from './prepare.ts';
import { querySession, sendChunk, sessionsUrl } from './session.ts';

/**
 * The YouTube Data API. The adapter streams the file into a resumable upload session; the last byte makes the video
 * live. `lookUp` asks the session whether the upload was completed.
 */
export const youtubeAdapter: PlatformAdapter = {
  prepare,

  sendsFile,

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

  finish,
};

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
