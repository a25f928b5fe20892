import { secondMs } from '../../kernel/clock.ts';
import type { AbandonedUpload, IntendedJob, PrepareStep, PublishJob } from '../contract/adapter.ts';
import { isAboutAccount, PlatformError } from '../contract/errors.ts';
import type { Finding } from '../contract/last-call.ts';
import type { LivePost } from '../contract/live-post.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { ifReadable } from '../shared/if-readable.ts';
import { readOptions } from '../shared/options.ts';
import { updateAbsence } from './absence.ts';
import { bringCaptions, captionsStep, withoutOtherTracks } from './captions.ts';
import { type YoutubeClient, youtubeClient } from './client.ts';
import { isVideoMissing } from './errors.ts';
import { addOnce, mayBeShort, soon } from './extras.ts';
import {
  captionsOf,
  firstCommentOf,
  metadataDigest,
  permalinkOf,
  privacyOf,
  privateMetadata,
  statusOf,
} from './map.ts';
import { YoutubeOptions } from './options.ts';
import { Progress, theVideo } from './progress.ts';
import { querySession } from './session.ts';

/** A preparation whose private video exists. */
export type WithVideo = Progress & { readonly videoId: string };

/** The time before the due time in which YouTube is not asked any more: the last call must not wait. */
const quietMs = 5 * secondMs;
/** The waits between looks at the processing: 10, 20, 40 … 300 seconds. */
const firstLookSeconds = 10;
const longestLookSeconds = 300;
/** The number of tries to set a playlist or thumbnail ahead. After that, they are left to finishing. */
const maxTries = 5;
/** The number of calls in a row for which YouTube may not know a video that it has named. */
const maxMisses = 5;

/**
 * Completes a private video ahead of its due time: brings its metadata up to date, adds it to the playlist, sets its captions and
 * thumbnail, and waits for YouTube to process it. At the due time only the last call is left, whether or not all of this has succeeded.
 *
 * @throws PlatformError `rejected` if YouTube could not process the video
 */
export async function prepareVideo(
  job: PublishJob,
  progress: WithVideo,
  tools: PlatformTools,
): Promise<PrepareStep> {
  const client = youtubeClient(job, tools);
  const { videoId } = progress;
  const metadata = metadataDigest(job);
  if (progress.metadata !== metadata) {
    await knowing(progress, () => bringMetadata(job, client, videoId));
    return { state: 'continue', preparation: { ...progress, metadata, settings: {}, misses: 0 } };
  }
  if (
    progress.playlistId !== null &&
    progress.playlistId !== readOptions(YoutubeOptions, job.options).playlistId
  ) {
    const { playlist: _former, ...settledSteps } = progress.settledSteps;
    const removing = { ...progress, isAddSent: false, settledSteps };
    // After a crash, an edit may return to this playlist.
    await job.note?.(removing);
    await client.removeFromPlaylist(progress.playlistId, videoId);
    return { state: 'continue', preparation: { ...removing, playlistId: null } };
  }
  const next = structuredClone(progress);
  const isQuiet = tools.now() >= (job.dueMs ?? 0) - quietMs;
  if (!next.isProcessed && !isQuiet) await look(client, next);
  const isWhole = await addExtras(job, client, next, isQuiet);
  if (isQuiet || (next.isProcessed && isWhole)) return { state: 'ready', preparation: next };
  const leftSeconds = Math.floor(((job.dueMs ?? 0) - tools.now()) / secondMs);
  const waitSeconds = Math.min(
    leftSeconds,
    longestLookSeconds,
    firstLookSeconds * 2 ** Math.min(next.looks, 5),
  );
  return { state: 'waiting', preparation: { ...next, looks: next.looks + 1 }, waitSeconds };
}

/**
 * Brings the metadata of a private video up to date. Leaves its `status` out unless it differs: that part has the privacy too, and
 * another worker may make the video visible while this one is held up.
 *
 * @returns `undefined` if YouTube does not know the video
 */
async function bringMetadata(
  job: PublishJob,
  client: YoutubeClient,
  videoId: string,
): Promise<string | undefined> {
  const video = await client.readVideo(videoId);
  if (video === undefined) return undefined;
  const { status, ...others } = privateMetadata(job);
  const isSame = JSON.stringify(status) === JSON.stringify(statusOf({}, 'private', video.settings));
  const isVisible = video.privacyStatus !== 'private';
  return client.updateVideo(videoId, isSame || isVisible ? others : { status, ...others });
}

/** Looks at the processing of a video. @param next changed @throws PlatformError `rejected` if it has failed */
async function look(client: YoutubeClient, next: WithVideo): Promise<void> {
  const video = await client.readVideo(next.videoId);
  if (video?.processing === 'failed')
    throw new PlatformError('rejected', `YouTube could not process the video (${video.reason}).`);
  if (video) next.settings = video.settings;
  next.isProcessed = video?.isProcessed ?? false;
}

/**
 * Adds the video to its playlist, and its captions and thumbnail to it. A refusal is noted; finishing makes a warning of it.
 *
 * @param next changed
 * @param isQuiet true if the last call is due: captions, which take several calls, are then left to finishing
 * @returns false if something should be tried again soon
 */
async function addExtras(
  job: PublishJob,
  client: YoutubeClient,
  next: WithVideo,
  isQuiet: boolean,
): Promise<boolean> {
  const options = readOptions(YoutubeOptions, job.options);
  const { playlistId } = options;
  const { cover } = job;
  let isWhole = true;
  const commitNotes = async () => job.note?.({ ...next });
  const settle = async (name: string, step: () => Promise<void>): Promise<void> => {
    if (next.settledSteps[name] !== undefined || next.tries >= maxTries) return;
    try {
      await soon(step);
      next.settledSteps[name] = '';
    } catch (error) {
      if (!(error instanceof PlatformError) || isAboutAccount(error)) throw error;
      if (error.remedy === 'retry' || error.remedy === 'unknown') isWhole = false;
      else next.settledSteps[name] = error.message;
    }
  };
  if (playlistId !== undefined) {
    next.playlistId = playlistId;
    await settle('playlist', () => addOnce(next, client, playlistId, next.videoId, commitNotes));
  }
  const captions = captionsOf(options);
  next.settledSteps = withoutOtherTracks(next.settledSteps, captionsStep(captions));
  if (!isQuiet && (captions.length > 0 || next.captionTracks.length > 0))
    await settle(captionsStep(captions), () =>
      bringCaptions(next, client, next.videoId, captions, commitNotes),
    );
  // YouTube ignores the thumbnail of a Short that it has not processed.
  if (cover && (next.isProcessed || !mayBeShort(theVideo(job))))
    await settle('thumbnail', () => client.setThumbnail(next.videoId, cover));
  if (!isWhole) next.tries += 1;
  return isWhole || next.tries >= maxTries;
}

/** Makes a private video visible as its author wishes. One that stays private is only read. */
export async function goPublic(
  job: PublishJob,
  progress: WithVideo,
  tools: PlatformTools,
): Promise<LivePost> {
  const client = youtubeClient(job, tools);
  const options = readOptions(YoutubeOptions, job.options);
  const { videoId, settings, settledSteps, captionTracks, isProcessed } = progress;
  const limits = { totalSeconds: updateAbsence.callSeconds, isLastCall: true } as const;
  const wanted = privacyOf(options);
  const captions = captionsOf(options);
  const privacy = await knowing(progress, async () =>
    wanted === 'private'
      ? (await client.readVideo(videoId, limits))?.privacyStatus
      : client.updateVideo(videoId, { status: statusOf(options, wanted, settings) }, limits),
  );
  const isFinished =
    isProcessed &&
    privacy === wanted &&
    firstCommentOf(options) === undefined &&
    (options.playlistId === undefined || settledSteps['playlist'] === '') &&
    (captions.length + captionTracks.length === 0 || settledSteps[captionsStep(captions)] === '') &&
    (job.cover === undefined || settledSteps['thumbnail'] === '');
  return { platformPostId: videoId, permalink: permalinkOf(videoId), isFinished };
}

/**
 * Makes a call about a video that YouTube has named. Such a video may be unknown for a moment.
 *
 * @throws PlatformError `retry`, with a preparation that counts it, if YouTube does not know the video; `rejected` after several
 *   such calls: somebody has deleted it
 */
async function knowing<T>(progress: WithVideo, call: () => Promise<T | undefined>): Promise<T> {
  const known = await call().catch((error: unknown) => {
    if (isVideoMissing(error)) return undefined;
    throw error;
  });
  if (known !== undefined) return known;
  const misses = progress.misses + 1;
  if (misses >= maxMisses)
    throw new PlatformError(
      'rejected',
      'YouTube no longer has the private video that was uploaded for this post: somebody may have deleted it. Retry the post to upload it again.',
    );
  throw new PlatformError('retry', 'YouTube does not know the uploaded video yet.', {
    retryAfterSeconds: 10,
    preparation: { ...progress, misses },
  });
}

/** Asks whether a private video became visible. */
export async function lookUpVideo(job: IntendedJob, videoId: string, tools: PlatformTools): Promise<Finding> {
  const wanted = privacyOf(readOptions(YoutubeOptions, job.options));
  const video = await ifReadable(() => youtubeClient(job, tools).readVideo(videoId));
  if (video?.privacyStatus !== wanted) return { state: 'unseen' };
  const publishedMs = wanted === 'private' ? undefined : video.publishedMs;
  return { state: 'live', post: { platformPostId: videoId, permalink: permalinkOf(videoId), publishedMs } };
}

/** Deletes a private video, and takes it out of its playlist. Leaves a video alone that has become visible. */
export async function discard(upload: AbandonedUpload, tools: PlatformTools): Promise<string | undefined> {
  const progress = Progress.parse(upload.preparation);
  const videoId = progress.videoId ?? (await completedVideo(upload, progress, tools));
  if (videoId === undefined) return undefined;
  const client = youtubeClient(upload, tools);
  const video = await client.readVideo(videoId);
  if (video !== undefined && video.privacyStatus !== 'private') return undefined;
  if (progress.playlistId !== null)
    await client.removeFromPlaylist(progress.playlistId, videoId).catch((error: unknown) => {
      if (!(error instanceof PlatformError) || error.remedy !== 'rejected') throw error;
    });
  await client.deleteVideo(videoId);
  return `the private video ${videoId} was deleted on YouTube`;
}

/** Asks the session of an upload whose end was not committed for its video. */
async function completedVideo(
  upload: AbandonedUpload,
  { uploadId, sizeBytes }: Progress,
  tools: PlatformTools,
): Promise<string | undefined> {
  if (uploadId === null || sizeBytes === null) return undefined;
  const session = await querySession(upload, uploadId, sizeBytes, tools);
  return session.state === 'complete' ? session.videoId : undefined;
}
