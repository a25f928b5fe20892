import type { IntendedJob, PlatformAdapter } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { Finding } from '../contract/last-call.ts';
import { type LivePost, uploadIdOf } from '../contract/live-post.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { comparableText, findListed, type Recognition } from '../shared/find-listed.ts';
import { ifReadable } from '../shared/if-readable.ts';
import { readOptions } from '../shared/options.ts';
import { deleting } from '../shared/removal.ts';
import { updateAbsence, uploadAbsence } from './absence.ts';
import { lastChunk } from './chunks.ts';
import { type ListedVideo, videosUrl, youtubeClient } from './client.ts';
import { isVideoMissing } from './errors.ts';
import { finish } from './finish.ts';
import { permalinkOf, videoTitle } from './map.ts';
import { YoutubeOptions } from './options.ts';
import { prepare, sendsFile } from './prepare.ts';
import { discard, goPublic, lookUpVideo } from './private-video.ts';
import { Progress, theVideo } from './progress.ts';
import { querySession, sendChunk, sessionsUrl } from './session.ts';

/**
 * The YouTube Data API. The adapter streams the file into a resumable upload session ahead of time, as a private video, and the last
 * call makes it public. `lookUp` reads whether it is.
 *
 * If the account's scopes allow uploads only, the last byte of the upload makes the video live instead, and `lookUp` asks the
 * session whether the upload was completed.
 */
export const youtubeAdapter: PlatformAdapter = {
  prepare,

  sendsFile,

  tokenOf(job) {
    const { videoId, sessionUri } = Progress.parse(job.preparation);
    return videoId === null ? { sessionUri } : { videoId };
  },

  absenceRule: ({ preparation }) => (uploadIdOf(preparation) === undefined ? uploadAbsence : updateAbsence),

  lastCallUrl(job, tools) {
    const { sessionUri, videoId } = Progress.parse(job.preparation);
    if (videoId !== null) return videosUrl(tools);
    return (sessionUri ?? sessionsUrl(tools)).replace(/\?.*/s, '');
  },

  async goLive(job, tools) {
    const progress = Progress.parse(job.preparation);
    const { sessionUri, offset, videoId } = progress;
    if (videoId !== null) return goPublic(job, { ...progress, videoId }, tools);
    if (sessionUri === null || progress.uploadId !== null)
      throw new PlatformError('retry', 'YouTube: the upload was not started yet');
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
    const { sessionUri, videoId } = Progress.parse(job.call.token);
    if (videoId !== null) return lookUpVideo(job, videoId, tools);
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

  discard,

  removePost: (post, tools) =>
    deleting(() => youtubeClient(post, tools).deletePublished(post.platformPostId), isVideoMissing),
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
