import { minuteMs, secondMs } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/ids.ts';
import type { IntendedJob, PlatformAdapter, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformResponse } from '../contract/http.ts';
import type { Finding } from '../contract/last-call.ts';
import type { LivePost } from '../contract/live-post.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { comparableText, findListed, type Recognition } from '../shared/find-listed.ts';
import { finishInSteps } from '../shared/finishing.ts';
import { ifReadable } from '../shared/if-readable.ts';
import { draftAbsence, hiddenPhotosAbsence, photosAbsence, videoAbsence } from './absence.ts';
import { lastChunk } from './chunks.ts';
import { type PublishStatus, photosUrl, type TiktokClient, tiktokClient } from './client.ts';
import { isDraft, isVideo, type ListedPost, livePost, matchesJob, photoRequest } from './map.ts';
import { Progress, prepare, renewed, sendsFile, theVideo, uploadLifeMs } from './prepare.ts';
import { chunkError } from './upload.ts';

/**
 * TikTok's Content Posting API. TikTok first accepts the last call, then processes the post and may still refuse it.
 * The post counts as live once its status says so; until then the outcome is unknown.
 *
 * For a video, preparation uploads all chunks except the final one, and the last call sends that chunk. An upload can
 * be completed only once, so sending the last chunk again never makes a second post. Photos need only one call.
 *
 * A draft goes to the person's inbox in the same way, and counts as live once it is there. TikTok gives it no id.
 */
export const tiktokAdapter: PlatformAdapter = {
  prepare,

  sendsFile,

  tokenOf(job) {
    const { publishId } = Progress.parse(job.preparation);
    return isVideo(job) ? { publishId } : { publishId, text: sha256(comparableText(job.content)) };
  },

  absenceRule(job) {
    const hasStatus = Progress.parse(job.preparation).publishId !== null;
    if (isDraft(job)) return draftAbsence[isVideo(job) ? 'video' : hasStatus ? 'photos' : 'lostPhotos'];
    if (isVideo(job)) return videoAbsence;
    return hasStatus || isPublic(job) ? photosAbsence : hiddenPhotosAbsence;
  },

  lastCallUrl(job, tools) {
    if (!isVideo(job)) return photosUrl(tools);
    const { uploadUrl } = Progress.parse(job.preparation);
    return (uploadUrl ?? usualUploadUrl).replace(/\?.*/s, '');
  },

  goLive: (job, tools) => (isVideo(job) ? completeVideo(job, tools) : postPhotos(job, tools)),

  async lookUp(job, tools) {
    const client = tiktokClient(job, tools);
    const { publishId } = Progress.parse(job.call.token);
    if (publishId === null) return findByText(job, client);
    // TikTok also refuses if it no longer knows the post, or assigns it to another account.
    const status = await ifReadable(() => client.status(publishId));
    return status ? judgeStatus(job, status, tools.now()) : { state: 'unseen', isGone: true };
  },

  finish(job, tools) {
    const client = tiktokClient(job, tools);
    return finishInSteps(job, isDraft(job) ? [] : [(post) => withId(job, post, client)]);
  },
};

const usualUploadUrl = 'https://open-upload.tiktokapis.com/video/';

async function completeVideo(job: PublishJob, tools: PlatformTools): Promise<LivePost> {
  const progress = Progress.parse(job.preparation);
  const { publishId, uploadUrl } = progress;
  if (publishId === null || uploadUrl === null) {
    throw new PlatformError('retry', 'TikTok: the upload was not started yet');
  }
  const client = tiktokClient(job, tools);
  const video = theVideo(job);
  const limits = { totalSeconds: videoAbsence.callSeconds, isLastCall: true } as const;
  const response = await client.sendChunk(uploadUrl, video, lastChunk(video.sizeBytes), limits);
  if (response.status === 429) throw chunkError(response);
  const status = await readStatus(publishId, client);
  if (status && isDone(job, status)) return toLivePost(job, status);
  if (response.status === 200 || response.status === 201) {
    throw new PlatformError('unknown', 'TikTok has accepted the video and is processing it.', {
      isProcessing: true,
    });
  }
  if (status && isIncomplete(job, status)) refuse(response, progress);
  const { message, status: httpStatus, remedy } = chunkError(response);
  throw new PlatformError('unknown', message, {
    status: httpStatus,
    ifAbsent: remedy === 'rejected' ? 'rejected' : 'retry',
  });
}

/**
 * Handles a response to the last chunk while the upload is incomplete.
 *
 * @throws PlatformError if TikTok has certainly refused the chunk
 */
function refuse(response: PlatformResponse, progress: Progress): void {
  const { status } = response;
  if (status === 400) throw chunkError(response);
  if (status === 416) {
    throw new PlatformError('retry', 'TikTok does not have all chunks of the upload', { status });
  }
  if (status !== 403 && status !== 404) return;
  const gone = new PlatformError('retry', `TikTok no longer knows the upload (HTTP ${status})`, { status });
  const preparation = renewed(progress, gone);
  throw new PlatformError('retry', gone.message, { status, preparation });
}

async function postPhotos(job: PublishJob, tools: PlatformTools): Promise<LivePost> {
  const progress = Progress.parse(job.preparation);
  if (progress.creator === null && !isDraft(job))
    throw new PlatformError('retry', 'TikTok: the creator info was not read yet');
  const client = tiktokClient(job, tools);
  const publishId = await client.postPhotos(photoRequest(job, progress.creator));
  throw new PlatformError('unknown', 'TikTok has accepted the photos and is downloading them.', {
    preparation: { ...progress, publishId },
    isProcessing: true,
  });
}

/** Reads the status once. Ignores platform errors, because they say nothing about the post. */
async function readStatus(publishId: string, client: TiktokClient): Promise<PublishStatus | undefined> {
  try {
    return await client.status(publishId);
  } catch (error) {
    if (error instanceof PlatformError) return undefined;
    throw error;
  }
}

/** Returns true if TikTok has posted the post, or the draft is in the inbox. Its owner may have posted it already. */
function isDone(job: PublishJob, { state }: PublishStatus): boolean {
  return state === 'PUBLISH_COMPLETE' || (state === 'SEND_TO_USER_INBOX' && isDraft(job));
}

function toLivePost(job: PublishJob, { postId }: PublishStatus): LivePost {
  const isFinished = isDraft(job);
  if (postId === null) return { platformPostId: null, permalink: null, ...(isFinished && { isFinished }) };
  return { ...livePost(job, postId, usernameOf(job)), ...(isFinished && { isFinished }) };
}

/** Returns the account's username when the post was made. */
function usernameOf({ preparation, account }: PublishJob): string | null {
  return Progress.parse(preparation).creator?.username ?? account.username;
}

/** Returns true if TikTok still waits for the last chunk of a video. */
function isIncomplete(job: PublishJob, { state, uploadedBytes }: PublishStatus): boolean {
  const isUploading = state === 'PROCESSING_UPLOAD' && uploadedBytes !== undefined;
  return isUploading && uploadedBytes < theVideo(job).sizeBytes;
}

function judgeStatus(job: IntendedJob, status: PublishStatus, now: number): Finding {
  const { renewals, begunAt, uploadUrl } = Progress.parse(job.preparation);
  switch (status.state) {
    case 'PUBLISH_COMPLETE':
      return { state: 'live', post: toLivePost(job, status) };
    case 'FAILED': {
      const { failReason: reason } = status;
      const proof = `TikTok reports that the post has failed (${reason || 'no reason'})`;
      return { state: 'absent', proof, preparation: { renewals, failure: { reason, at: now } } };
    }
    case 'SEND_TO_USER_INBOX':
      if (isDraft(job)) return { state: 'live', post: toLivePost(job, status) };
      // Not expected after a direct post. Nothing more can be sent for it.
      return { state: 'unseen', isGone: true };
    case 'PROCESSING_UPLOAD':
    case 'PROCESSING_DOWNLOAD': {
      if (isIncomplete(job, status)) {
        return { state: 'unseen', isGone: uploadUrl === null || now >= begunAt + uploadLifeMs };
      }
      const waitMs = Math.min(minuteMs, Math.max(5 * secondMs, (now - job.call.endedMs) / 6));
      return { state: 'processing', waitSeconds: Math.ceil(waitMs / secondMs) };
    }
  }
}

function isPublic({ options }: PublishJob): boolean {
  return options['privacyLevel'] === 'PUBLIC_TO_EVERYONE';
}

/** Looks for photos without a publish id, because the response with it was lost. Finds only public posts, by their text. */
async function findByText(job: IntendedJob, client: TiktokClient): Promise<Finding> {
  const unseen = { state: 'unseen', isGone: true } as const;
  if (!isPublic(job)) return unseen;
  try {
    const recognition: Recognition<ListedPost> = {
      idOf: ({ id }) => id,
      createdMs: ({ create_time }) => create_time * secondMs,
      likeness: (post) => (matchesJob(post, job) ? 'text' : undefined),
    };
    const found = await ifReadable(() => findListed(client.listPosts(), job.call, recognition));
    if (found === undefined) return unseen;
    return {
      state: 'live',
      post: livePost(job, found.id, usernameOf(job), found.create_time * secondMs),
    };
  } catch (error) {
    // The person did not grant `video.list`.
    const codes = ['scope_not_authorized', 'scope_permission_missed'];
    if (error instanceof PlatformError && codes.includes(error.platformCode ?? '')) return unseen;
    throw error;
  }
}

/** Adds the post's id. TikTok reveals the ids of public posts only, after it has moderated them. */
async function withId(job: IntendedJob, post: LivePost, client: TiktokClient): Promise<LivePost> {
  const { publishId } = Progress.parse(job.preparation);
  if (post.platformPostId !== null || publishId === null) return post;
  const found = toLivePost(job, await client.status(publishId));
  if (found.platformPostId !== null) return found;
  if (!isPublic(job)) return post;
  throw new PlatformError(
    'retry',
    'TikTok has not returned the URL of the post yet. It does so after moderation, which can take hours.',
  );
}
