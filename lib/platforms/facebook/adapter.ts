import { minuteMs, secondMs } from '../../kernel/clock.ts';
import type {
  IntendedJob,
  LivePost,
  PlatformAdapter,
  PublishJob,
  Reconciliation,
} from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import { finishInSteps } from '../shared/finishing.ts';
import { type FacebookClient, facebookClient } from './client.ts';
import { isMissing } from './errors.ts';
import { feedParameters, isSamePost, readPost, videoParameters } from './map.ts';
import { Progress, prepare } from './prepare.ts';

/**
 * Facebook Pages. Everything is uploaded ahead without being published, so that one call makes the post, and it can be
 * found again by what it shows. A text alone has nothing to be found by but its words.
 *
 * Of a video the last call is accepted, not done: Facebook processes it, and may still refuse it. It counts as live
 * once Facebook says so; until then its outcome is unknown.
 */
export const facebookAdapter: PlatformAdapter = {
  prepare,

  async goLive(job, tools) {
    const client = facebookClient(job, tools);
    const { kind, options, message } = readPost(job);
    const { photos, videoId, sessionId } = Progress.parse(job.preparation);
    switch (kind) {
      case 'text':
      case 'photos':
        return {
          platformPostId: await client.publishFeed(feedParameters(message, options, photos)),
          permalink: null,
        };
      case 'photoStory':
        return { platformPostId: await client.publishPhotoStory(photos[0] ?? ''), permalink: null };
      case 'video':
        await client.finishChunked(required(sessionId), videoParameters(message, options));
        return accepted(job, client);
      case 'reel':
        await client.finishHosted('video_reels', required(videoId), videoParameters(message, options));
        return accepted(job, client);
      case 'videoStory':
        await client.finishHosted('video_stories', required(videoId), {});
        return accepted(job, client);
    }
  },

  async reconcile(job, tools) {
    const client = facebookClient(job, tools);
    const sinceIntentMs = tools.now() - job.intentAt;
    switch (readPost(job).kind) {
      case 'text':
        return reconcileFeed(job, client, sinceIntentMs, textSettlingMs);
      case 'photos':
        return reconcileFeed(job, client, sinceIntentMs, settlingMs);
      case 'photoStory':
        return reconcileStory(job, client, sinceIntentMs);
      case 'video':
      case 'reel':
      case 'videoStory':
        return reconcileVideo(job, client, sinceIntentMs);
    }
  },

  finish(job, tools) {
    const client = facebookClient(job, tools);
    return finishInSteps(job, [
      (post, waits) => withPermalink(job, client, post, waits),
      async (post) => {
        if (job.cover && post.platformPostId !== null) await client.setCover(post.platformPostId, job.cover);
        return post;
      },
      (post) => withFirstComment(job, client, post),
    ]);
  },
};

/** Facebook's lists may lag behind what was just published. */
const settlingMs = 45 * secondMs;
/** A second call with the same photos is refused; with the same text alone it may not be, so more is waited for. */
const textSettlingMs = 120 * secondMs;
/** After so long without a sign of the last call, it has not arrived. */
const lastCallMs = 3 * minuteMs;
const longestProcessingMs = 60 * minuteMs;
const videoLookSeconds = 30;

function pendingUntil(milliseconds: number): Reconciliation {
  return { state: 'pending', waitSeconds: Math.max(1, Math.ceil(milliseconds / secondMs)) };
}

/** For the call that a lost answer is asked about: an earlier one may be what is found. */
function firstIntent({ preparation, intentAt }: IntendedJob): number {
  return Progress.parse(preparation).firstIntentAt ?? intentAt;
}

function absent(job: IntendedJob): Reconciliation {
  return {
    state: 'absent',
    preparation: { ...Progress.parse(job.preparation), firstIntentAt: firstIntent(job) },
  };
}

async function reconcileFeed(
  job: IntendedJob,
  client: FacebookClient,
  sinceIntentMs: number,
  longestLagMs: number,
): Promise<Reconciliation> {
  const since = firstIntent(job);
  const { photos } = Progress.parse(job.preparation);
  const { posts, isWhole } = await client.listPosts(since - minuteMs);
  for (const post of posts) {
    if (isSamePost(post, job.content, photos, since) && !(await job.isTaken?.(post.id))) {
      return { state: 'live', post: { platformPostId: post.id, permalink: post.permalink_url ?? null } };
    }
  }
  if (sinceIntentMs < longestLagMs) return pendingUntil(longestLagMs - sinceIntentMs);
  return isWhole ? absent(job) : { state: 'unknown', where: "the Page's posts on Facebook" };
}

/** A photo is shown by one story: should this one be live unseen, a second call for it is refused. */
async function reconcileStory(
  job: IntendedJob,
  client: FacebookClient,
  sinceIntentMs: number,
): Promise<Reconciliation> {
  const story = await client.findStory(Progress.parse(job.preparation).photos[0] ?? '');
  if (story) return { state: 'live', post: { platformPostId: story.id, permalink: story.url } };
  return sinceIntentMs < settlingMs ? pendingUntil(settlingMs - sinceIntentMs) : absent(job);
}

async function reconcileVideo(
  job: IntendedJob,
  client: FacebookClient,
  sinceIntentMs: number,
): Promise<Reconciliation> {
  const progress = Progress.parse(job.preparation);
  const where = "the Page's videos in Meta Business Suite";
  const video = await client.video(required(progress.videoId)).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  switch (video?.state.state) {
    case 'live':
      return { state: 'live', post: await livePost(job, client, video.permalink) };
    case 'failed': {
      const failure = `Facebook could not process the video: ${video.state.reason}`;
      return { state: 'absent', preparation: { renewals: progress.renewals, failure } };
    }
    case 'processing':
      if (sinceIntentMs > longestProcessingMs) return { state: 'unknown', where };
      return { state: 'pending', waitSeconds: videoLookSeconds };
    case 'uploaded':
    case 'uploading':
      // The last call has left no trace. It is made again for this very video, which can go live once only.
      return sinceIntentMs < lastCallMs ? pendingUntil(videoLookSeconds * secondMs) : absent(job);
    case undefined:
      return sinceIntentMs < lastCallMs
        ? pendingUntil(videoLookSeconds * secondMs)
        : { state: 'unknown', where };
  }
}

/** Facebook has taken the video: it is asked once whether it is live already. */
async function accepted(job: PublishJob, client: FacebookClient): Promise<LivePost> {
  const { videoId } = Progress.parse(job.preparation);
  const video = await client.video(required(videoId)).catch((error: unknown) => {
    if (error instanceof PlatformError) return undefined;
    throw error;
  });
  if (video?.state.state === 'live') return livePost(job, client, video.permalink);
  throw new PlatformError('unknown', 'Facebook has accepted the video and is processing it.');
}

/** A video is known by its id, a story by that of its post. */
async function livePost(
  job: PublishJob,
  client: FacebookClient,
  permalink: string | null,
): Promise<LivePost> {
  const { videoId } = Progress.parse(job.preparation);
  if (readPost(job).kind !== 'videoStory') return { platformPostId: videoId, permalink };
  const story = await client.findStory(required(videoId)).catch((error: unknown) => {
    if (error instanceof PlatformError) return undefined;
    throw error;
  });
  return { platformPostId: story?.id ?? null, permalink: story?.url ?? null };
}

function required(id: string | null): string {
  if (id !== null) return id;
  throw new PlatformError('retry', 'Facebook: there is no upload yet');
}

/** Stories of a Page that does not keep them have no address; that is nothing to warn of. */
const storyLooks = 3;

async function withPermalink(
  job: IntendedJob,
  client: FacebookClient,
  post: LivePost,
  waits: number,
): Promise<LivePost> {
  const { platformPostId, permalink } = post;
  if (permalink !== null) return post;
  const { kind } = readPost(job);
  try {
    if (kind === 'photoStory' || kind === 'videoStory')
      return await withStoryAddress(job, client, post, waits);
    if (platformPostId === null) return post;
    if (kind === 'text' || kind === 'photos') {
      return { ...post, permalink: await client.permalink(platformPostId) };
    }
    return { ...post, permalink: (await client.video(platformPostId)).permalink };
  } catch (error) {
    // For a short while a new post reads as missing; that says nothing about the post or the token.
    if (isMissing(error)) throw new PlatformError('retry', 'Facebook gave no permalink for the post.');
    throw error;
  }
}

async function withStoryAddress(
  job: IntendedJob,
  client: FacebookClient,
  post: LivePost,
  waits: number,
): Promise<LivePost> {
  const { photos, videoId } = Progress.parse(job.preparation);
  const story = await client.findStory(videoId ?? photos[0] ?? '');
  if (story) return { platformPostId: post.platformPostId ?? story.id, permalink: story.url };
  if (waits < storyLooks) throw new PlatformError('retry', 'Facebook does not list the story yet.');
  return post;
}

/** Looks before it writes: the comment of an earlier try may be there although its answer was lost. */
async function withFirstComment(job: IntendedJob, client: FacebookClient, post: LivePost): Promise<LivePost> {
  const { kind, options } = readPost(job);
  const comment = options.firstComment?.trim();
  if (!comment || post.platformPostId === null) return post;
  try {
    const isVideo = kind === 'video' || kind === 'reel';
    const video = isVideo ? await client.video(post.platformPostId) : undefined;
    const postId = video?.postId ?? post.platformPostId;
    if (!(await client.hasOwnComment(postId, comment))) await client.comment(postId, comment);
    return post;
  } catch (error) {
    if (isMissing(error)) throw new PlatformError('retry', 'Facebook did not take the first comment yet.');
    throw error;
  }
}
