import { minuteMs, secondMs } from '../../kernel/clock.ts';
import type {
  IntendedJob,
  LivePost,
  PlatformAdapter,
  PublishJob,
  Reconciliation,
} from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { finishInSteps } from '../shared/finishing.ts';
import { readOptions } from '../shared/options.ts';
import { lastChunk } from './chunks.ts';
import { type PublishStatus, photosUrl, type TiktokClient, tiktokClient } from './client.ts';
import { isForeignPublish } from './errors.ts';
import { isVideo, livePost, matchesJob, photoRequest } from './map.ts';
import { TiktokOptions } from './options.ts';
import { Progress, prepare, theVideo } from './prepare.ts';
import { chunkError } from './upload.ts';

/**
 * TikTok's Content Posting API. TikTok accepts the go-live call first, then processes the post and may still refuse it.
 * The post counts as live once its status says so; until then the outcome is unknown.
 *
 * For a video, preparation uploads all chunks except the last, and the go-live call sends the last one. An upload can
 * be completed only once, so sending the last chunk again never makes a second post. Photos need only one call.
 */
export const tiktokAdapter: PlatformAdapter = {
  prepare,

  lastCallUrl(job, tools) {
    if (!isVideo(job)) return photosUrl(tools);
    const { uploadUrl } = Progress.parse(job.preparation);
    return (uploadUrl ?? usualUploadUrl).replace(/\?.*/s, '');
  },

  goLive: (job, tools) => (isVideo(job) ? completeVideo(job, tools) : postPhotos(job, tools)),

  async reconcile(job, tools) {
    const client = tiktokClient(job, tools);
    const { publishId } = Progress.parse(job.preparation);
    if (publishId === null) return isVideo(job) ? absent(job) : findPhotos(job, client, tools.now());
    try {
      return decide(job, await client.status(publishId), tools.now());
    } catch (error) {
      if (isForeignPublish(error)) return { state: 'unknown', where };
      throw error;
    }
  },

  finish(job, tools) {
    const client = tiktokClient(job, tools);
    return finishInSteps(job, [(post) => withId(job, post, client)]);
  },
};

const usualUploadUrl = 'https://open-upload.tiktokapis.com/video/';

const where = "the account's profile in the TikTok app";

/** The last chunk has about 5 MiB, and TikTok may respond slowly. */
const lastCall = { totalSeconds: 60, isLastCall: true } as const;
/** Bytes of a last chunk that are still in transit arrive within this time or never. */
const settlingMs = 45 * secondMs;
/** TikTok downloads for an hour at most, and processes within minutes. */
const longestProcessingMs = 75 * minuteMs;
/** How long after the intent to search for photos. If they are not listed by then, the outcome stays unknown. */
const longestSearchMs = 10 * minuteMs;

async function completeVideo(job: PublishJob, tools: PlatformTools): Promise<LivePost> {
  const { publishId, uploadUrl } = Progress.parse(job.preparation);
  if (publishId === null || uploadUrl === null) {
    throw new PlatformError('retry', 'TikTok: the upload was not started yet');
  }
  const client = tiktokClient(job, tools);
  const video = theVideo(job);
  const response = await client.sendChunk(uploadUrl, video, lastChunk(video.sizeBytes), lastCall);
  if (response.status === 429) throw chunkError(response);
  const live = await findLivePost(job, publishId, client);
  if (live) return live;
  if (response.status === 200 || response.status === 201) {
    throw new PlatformError('unknown', 'TikTok has accepted the video and is processing it.');
  }
  const { message, status, remedy } = chunkError(response);
  throw new PlatformError('unknown', message, {
    status,
    ifAbsent: remedy === 'rejected' ? 'rejected' : 'retry',
  });
}

async function postPhotos(job: PublishJob, tools: PlatformTools): Promise<LivePost> {
  const progress = Progress.parse(job.preparation);
  if (progress.creator === null)
    throw new PlatformError('retry', 'TikTok: the creator info was not read yet');
  const client = tiktokClient(job, tools);
  const publishId = await client.postPhotos(photoRequest(job, progress.creator));
  throw new PlatformError('unknown', 'TikTok has accepted the photos and is downloading them.', {
    preparation: { ...progress, publishId },
  });
}

/** Reads the status once. Ignores platform errors, because they say nothing about the post. */
async function findLivePost(
  job: PublishJob,
  publishId: string,
  client: TiktokClient,
): Promise<LivePost | undefined> {
  try {
    const status = await client.status(publishId);
    return status.state === 'PUBLISH_COMPLETE' ? toLivePost(job, status) : undefined;
  } catch (error) {
    if (error instanceof PlatformError) return undefined;
    throw error;
  }
}

function toLivePost(job: PublishJob, { postId }: PublishStatus): LivePost {
  const { creator } = Progress.parse(job.preparation);
  if (postId === null) return { platformPostId: null, permalink: null };
  return livePost(job, postId, creator?.username ?? job.account.username);
}

function decide(job: IntendedJob, status: PublishStatus, now: number): Reconciliation {
  const sinceIntentMs = now - job.intentAt;
  switch (status.state) {
    case 'PUBLISH_COMPLETE':
      return { state: 'live', post: toLivePost(job, status) };
    case 'FAILED': {
      const { renewals } = Progress.parse(job.preparation);
      const failure = { reason: status.failReason, at: now };
      return { state: 'absent', preparation: { renewals, failure } };
    }
    case 'SEND_TO_USER_INBOX':
      return { state: 'unknown', where: "the account's inbox in the TikTok app" };
    case 'PROCESSING_UPLOAD': {
      const { uploadedBytes } = status;
      if (uploadedBytes === undefined || uploadedBytes >= theVideo(job).sizeBytes) break;
      return sinceIntentMs < settlingMs ? pendingFor(settlingMs - sinceIntentMs) : absent(job);
    }
    case 'PROCESSING_DOWNLOAD':
      break;
  }
  if (sinceIntentMs > longestProcessingMs) return { state: 'unknown', where };
  return pendingFor(Math.min(minuteMs, Math.max(5 * secondMs, sinceIntentMs / 6)));
}

/** Keeps the upload: sending the last chunk again completes this same post, or finds that it is complete. */
function absent(job: IntendedJob): Reconciliation {
  return { state: 'absent', preparation: { ...Progress.parse(job.preparation), isTried: true } };
}

/** If the response to the go-live call was lost, only public photos can be found, by their text. */
async function findPhotos(job: IntendedJob, client: TiktokClient, now: number): Promise<Reconciliation> {
  const isPublic = readOptions(TiktokOptions, job.options).privacyLevel === 'PUBLIC_TO_EVERYONE';
  const listed = isPublic ? await listPosts(client) : undefined;
  if (listed === undefined) return { state: 'unknown', where };
  const { creator } = Progress.parse(job.preparation);
  for (const post of listed) {
    if (matchesJob(post, job, job.intentAt) && !(await job.isTaken?.(post.id))) {
      return { state: 'live', post: livePost(job, post.id, creator?.username ?? job.account.username) };
    }
  }
  return now - job.intentAt < longestSearchMs ? pendingFor(30 * secondMs) : { state: 'unknown', where };
}

/** Undefined if the person did not grant `video.list`. */
async function listPosts(client: TiktokClient) {
  try {
    return await client.listPosts();
  } catch (error) {
    const codes = ['scope_not_authorized', 'scope_permission_missed'];
    if (error instanceof PlatformError && codes.includes(error.platformCode ?? '')) return undefined;
    throw error;
  }
}

function pendingFor(milliseconds: number): Reconciliation {
  return { state: 'pending', waitSeconds: Math.max(1, Math.ceil(milliseconds / secondMs)) };
}

/** TikTok reveals the ids of public posts only, after it has moderated them. */
async function withId(job: IntendedJob, post: LivePost, client: TiktokClient): Promise<LivePost> {
  const { publishId } = Progress.parse(job.preparation);
  if (post.platformPostId !== null || publishId === null) return post;
  const found = toLivePost(job, await client.status(publishId));
  if (found.platformPostId !== null) return found;
  if (readOptions(TiktokOptions, job.options).privacyLevel !== 'PUBLIC_TO_EVERYONE') return post;
  throw new PlatformError(
    'retry',
    'TikTok has not returned the URL of the post yet. It does so after moderation, which can take hours.',
  );
}
