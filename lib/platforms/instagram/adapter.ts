import { secondMs } from '../../kernel/clock.ts';
import type { IntendedJob, LivePost, PlatformAdapter } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import { finishInSteps } from '../shared/finishing.ts';
import {
  type ContainerPlatform,
  firstFree,
  firstIntent,
  prepareContainers,
  readyContainer,
  reconcileContainer,
} from '../shared/meta/containers.ts';
import { readOptions } from '../shared/options.ts';
import { type InstagramClient, instagramClient } from './client.ts';
import { containerError, instagram, isCuredByNewContainer, isMissing } from './errors.ts';
import { containerPlan, looksLike } from './map.ts';
import { InstagramOptions } from './options.ts';

/** The Instagram API with Instagram Login: media is fetched by Instagram from public addresses. */
export const instagramAdapter: PlatformAdapter = {
  prepare: async (job, tools) =>
    prepareContainers(job, containerPlan(job), containersOf(instagramClient(job, tools)), tools.now()),

  async goLive(job, tools) {
    const platformPostId = await instagramClient(job, tools).publish(readyContainer(job, instagram));
    return { platformPostId, permalink: null };
  },

  async reconcile(job, tools) {
    const client = instagramClient(job, tools);
    return reconcileContainer(job, containersOf(client), () => findPost(client, job), tools.now());
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

function containersOf(client: InstagramClient): ContainerPlatform {
  return { ...client, name: instagram.name, isMissing, isCuredByNewContainer, containerError };
}

/** A container never tells the id of its post: it is found in the account's list, by its looks. */
async function findPost(client: InstagramClient, job: IntendedJob): Promise<LivePost | undefined> {
  const { kind } = containerPlan(job);
  const since = firstIntent(job);
  const listed =
    kind === 'story' ? await client.listStories() : await client.listMedia(since - 60 * secondMs);
  return firstFree(
    job,
    listed.filter((item) => looksLike(item, kind, job.content, since)),
  );
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
