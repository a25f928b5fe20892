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
import { apiRoot, type FacebookClient, facebookClient, videosUrl } from './client.ts';
import { isMissing } from './errors.ts';
import { feedParameters, isSamePost, readPost, videoParameters } from './map.ts';
import { Progress, prepare } from './prepare.ts';

/**
 * Facebook Pages. Preparation uploads all media unpublished, so that a single call makes the post, and `reconcile` can
 * find the post by the ids of its media. A post without media can be found by its text only.
 *
 * Facebook accepts a video's go-live call first, then processes the video and may still refuse it. The video counts as
 * live once its status says so; until then the outcome is unknown.
 */
export const facebookAdapter: PlatformAdapter = {
  prepare,

  lastCallUrl(job, tools) {
    const { kind } = readPost(job);
    if (kind === 'video') return videosUrl(job, tools);
    return `${apiRoot(tools)}/${encodeURIComponent(job.account.platformAccountId)}/${lastCallEdges[kind]}`;
  },

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

const lastCallEdges = {
  text: 'feed',
  photos: 'feed',
  photoStory: 'photo_stories',
  reel: 'video_reels',
  videoStory: 'video_stories',
} as const;

/** How long Facebook's lists may take to show a new post. */
const settlingMs = 45 * secondMs;
/** Longer for texts: Facebook refuses a second post with the same photos, but may accept one with the same text. */
const textSettlingMs = 120 * secondMs;
/** If the video shows no sign of the go-live call after this time, the call did not arrive. */
const longestArrivalMs = 3 * minuteMs;
const longestProcessingMs = 60 * minuteMs;
const videoPollSeconds = 30;

function pendingUntil(milliseconds: number): Reconciliation {
  return { state: 'pending', waitSeconds: Math.max(1, Math.ceil(milliseconds / secondMs)) };
}

/** The intent of the first go-live call (epoch ms): the post may come from that call instead of the current one. */
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

/** Going live again is safe: Facebook refuses a second story with the same photo. */
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
      return { state: 'pending', waitSeconds: videoPollSeconds };
    case 'uploaded':
    case 'uploading':
      // No trace of the go-live call. Repeating it is safe, because this video can go live only once.
      return sinceIntentMs < longestArrivalMs ? pendingUntil(videoPollSeconds * secondMs) : absent(job);
    case undefined:
      return sinceIntentMs < longestArrivalMs
        ? pendingUntil(videoPollSeconds * secondMs)
        : { state: 'unknown', where };
  }
}

/** Reads once whether the accepted video is already live. @throws PlatformError `unknown` if it is not */
async function accepted(job: PublishJob, client: FacebookClient): Promise<LivePost> {
  const { videoId } = Progress.parse(job.preparation);
  const video = await client.video(required(videoId)).catch((error: unknown) => {
    if (error instanceof PlatformError) return undefined;
    throw error;
  });
  if (video?.state.state === 'live') return livePost(job, client, video.permalink);
  throw new PlatformError('unknown', 'Facebook has accepted the video and is processing it.');
}

/** The live post of a video. A video's post id is its video id; a story has a separate post id. */
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
  throw new PlatformError('retry', 'Facebook: the upload was not started yet');
}

/** After this many waits, finish without a permalink and without a warning: only archived stories have one. */
const storyPolls = 3;

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
      return await withStoryPermalink(job, client, post, waits);
    if (platformPostId === null) return post;
    if (kind === 'text' || kind === 'photos') {
      return { ...post, permalink: await client.permalink(platformPostId) };
    }
    return { ...post, permalink: (await client.video(platformPostId)).permalink };
  } catch (error) {
    // For a short time a new post reads as missing, although the post exists and the token is valid.
    if (isMissing(error)) throw new PlatformError('retry', 'Facebook returned no permalink for the post.');
    throw error;
  }
}

async function withStoryPermalink(
  job: IntendedJob,
  client: FacebookClient,
  post: LivePost,
  waits: number,
): Promise<LivePost> {
  const { photos, videoId } = Progress.parse(job.preparation);
  const story = await client.findStory(videoId ?? photos[0] ?? '');
  if (story) return { platformPostId: post.platformPostId ?? story.id, permalink: story.url };
  if (waits < storyPolls) throw new PlatformError('retry', 'Facebook does not list the story yet.');
  return post;
}

/** Posts the first comment, unless an earlier attempt whose response was lost has already posted it. */
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
    if (isMissing(error)) throw new PlatformError('retry', 'Facebook did not accept the first comment yet.');
    throw error;
  }
}
