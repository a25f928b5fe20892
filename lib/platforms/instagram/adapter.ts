import { secondMs } from '../../kernel/clock.ts';
import type { IntendedJob, LivePost, PlatformAdapter, Reconciliation } from '../adapter.ts';
import { PlatformError } from '../errors.ts';
import { finishInSteps } from '../finishing.ts';
import { readOptions } from '../options.ts';

import { type InstagramClient, instagramClient } from './client.ts';
import { isMissing } from './errors.ts';
import { containerPlan, type ListedMedia, looksLike } from './map.ts';
import { InstagramOptions } from './options.ts';
import { Progress, prepare } from './prepare.ts';

/** The Instagram API with Instagram Login: media is fetched by Instagram from public addresses. */
export const instagramAdapter: PlatformAdapter = {
  prepare,

  async goLive(job, tools) {
    const { container } = Progress.parse(job.preparation);
    if (container === null) throw new PlatformError('retry', 'Instagram: there is no container yet');
    const platformPostId = await instagramClient(job, tools).publish(container);
    return { platformPostId, permalink: null };
  },

  async reconcile(job, tools) {
    const progress = Progress.parse(job.preparation);
    if (progress.container === null) return { state: 'absent', preparation: {} };
    const client = instagramClient(job, tools);
    const sinceIntentMs = tools.now() - job.intentAt;
    const status = await client.containerStatus(progress.container).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    switch (status?.status_code) {
      case 'PUBLISHED':
        return { state: 'live', post: (await findPost(client, job)) ?? nowhereYet };
      case 'EXPIRED':
      case 'ERROR':
        return { state: 'absent', preparation: { renewals: progress.renewals } };
      case 'FINISHED':
      case 'IN_PROGRESS':
        if (sinceIntentMs < settlingMs) return pendingUntil(settlingMs - sinceIntentMs);
        return { state: 'absent', preparation: { ...progress, firstIntentAt: firstIntent(job) } };
      case undefined:
        return lostContainer(client, job, sinceIntentMs);
    }
  },

  finish(job, tools) {
    const client = instagramClient(job, tools);
    return finishInSteps(job, [
      async (post) => (post.platformPostId === null ? requireFound(await findPost(client, job)) : post),
      (post) => withPermalink(client, post),
      (post) => withFirstComment(client, job, post),
    ]);
  },
};

const nowhereYet: LivePost = { platformPostId: null, permalink: null };

/** The status of a container may lag behind the publishing of it. */
const settlingMs = 45 * secondMs;
/** After so long without its container, nothing can be learned of a call any more. */
const longestSearchMs = 300 * secondMs;

function pendingUntil(milliseconds: number): Reconciliation {
  return { state: 'pending', waitSeconds: Math.max(1, Math.ceil(milliseconds / secondMs)) };
}

/** Without the container only the list of posts can prove anything, and only that the post is there. */
async function lostContainer(
  client: InstagramClient,
  job: IntendedJob,
  sinceIntentMs: number,
): Promise<Reconciliation> {
  const post = await findPost(client, job);
  if (post) return { state: 'live', post };
  if (sinceIntentMs < longestSearchMs) return pendingUntil(Math.min(longestSearchMs - sinceIntentMs, 30_000));
  return { state: 'unknown', where: "the account's profile on Instagram" };
}

/** Should the status of an earlier call have lagged for longer than it was waited for, the post is that call's. */
function firstIntent({ preparation, intentAt }: IntendedJob): number {
  return Progress.parse(preparation).firstIntentAt ?? intentAt;
}

/** A container never tells the id of its post: it is found in the account's list, by its looks. */
async function findPost(client: InstagramClient, job: IntendedJob): Promise<LivePost | undefined> {
  const { kind } = containerPlan(job);
  const since = firstIntent(job);
  const listed =
    kind === 'story' ? await client.listStories() : await client.listMedia(since - 60 * secondMs);
  const candidates = listed.filter((item) => looksLike(item, kind, job.content, since));
  for (const candidate of candidates) {
    if (!(await job.isTaken?.(candidate.id))) return toLivePost(candidate);
  }
  return undefined;
}

function toLivePost({ id, permalink }: ListedMedia): LivePost {
  return { platformPostId: id, permalink: permalink ?? null };
}

function requireFound(post: LivePost | undefined): LivePost {
  if (post) return post;
  throw new PlatformError('retry', 'The post is live, but Instagram does not list it yet.');
}

async function withPermalink(client: InstagramClient, post: LivePost): Promise<LivePost> {
  if (post.platformPostId === null || post.permalink !== null) return post;
  try {
    const permalink = (await client.media(post.platformPostId)).permalink ?? null;
    return { ...post, permalink };
  } catch (error) {
    // For a short while a new post reads as missing; that says nothing about the post or the token.
    if (isMissing(error)) throw new PlatformError('retry', 'Instagram gave no permalink for the post.');
    throw error;
  }
}

/** Looks before it writes: the comment of an earlier try may be there although its answer was lost. */
async function withFirstComment(
  client: InstagramClient,
  job: IntendedJob,
  post: LivePost,
): Promise<LivePost> {
  const comment = readOptions(InstagramOptions, job.options).firstComment?.trim();
  if (!comment) return post;
  if (post.platformPostId === null) {
    throw new PlatformError(
      'rejected',
      'The first comment could not be posted: the id of the post is not known.',
    );
  }
  try {
    if (await client.hasOwnComment(post.platformPostId, comment)) return post;
    await client.comment(post.platformPostId, comment);
    return post;
  } catch (error) {
    if (isMissing(error)) throw new PlatformError('retry', 'Instagram did not take the first comment yet.');
    throw error;
  }
}
