import * as z from 'zod';
import { secondMs } from '../../kernel/clock.ts';
import type { IntendedJob, LivePost, PlatformAdapter } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import { finishInSteps } from '../shared/finishing.ts';
import {
  type ContainerPlatform,
  firstFree,
  firstIntent,
  plainText,
  prepareContainers,
  readyContainer,
  reconcileContainer,
} from '../shared/meta/containers.ts';
import { readOptions } from '../shared/options.ts';
import { type ThreadsClient, threadsClient } from './client.ts';
import { containerError, isCuredByNewContainer, isMissing, threads } from './errors.ts';
import { containerPlan, looksLike, replyParameters } from './map.ts';
import { postKind, ThreadsOptions } from './options.ts';

/** The Threads API: every post, a text too, is a container first; media is fetched by Threads from public addresses. */
export const threadsAdapter: PlatformAdapter = {
  prepare: async (job, tools) =>
    prepareContainers(job, containerPlan(job), containersOf(threadsClient(job, tools)), tools.now()),

  async goLive(job, tools) {
    const platformPostId = await threadsClient(job, tools).publish(readyContainer(job, threads));
    return { platformPostId, permalink: null };
  },

  async reconcile(job, tools) {
    const client = threadsClient(job, tools);
    return reconcileContainer(job, containersOf(client), () => findPost(client, job), tools.now());
  },

  finish(job, tools) {
    const client = threadsClient(job, tools);
    const reply = Reply.parse(job.preparation);
    return finishInSteps(
      job,
      [
        async (post) => (post.platformPostId === null ? requireFound(await findPost(client, job)) : post),
        (post) => withPermalink(client, post),
        (post) => withReply(client, job, post, reply),
      ],
      () => ({ ...reply }),
    );
  },
};

function containersOf(client: ThreadsClient): ContainerPlatform {
  return { ...client, name: threads.name, isMissing, isCuredByNewContainer, containerError };
}

/** A container never tells the id of its post: it is found in the account's list, by its looks. */
async function findPost(client: ThreadsClient, job: IntendedJob): Promise<LivePost | undefined> {
  const kind = postKind(job.media);
  const since = firstIntent(job);
  const listed = await client.listPosts(since - 60 * secondMs);
  return firstFree(
    job,
    listed.filter((item) => looksLike(item, kind, job.content, since)),
  );
}

function requireFound(post: LivePost | undefined): LivePost {
  if (post) return post;
  throw new PlatformError('retry', 'The post is live, but Threads does not list it yet.');
}

async function withPermalink(client: ThreadsClient, post: LivePost): Promise<LivePost> {
  if (post.platformPostId === null || post.permalink !== null) return post;
  try {
    return { ...post, permalink: await client.permalink(post.platformPostId) };
  } catch (error) {
    // For a short while a new post reads as missing; that says nothing about the post or the token.
    if (isMissing(error)) throw new PlatformError('retry', 'Threads gave no permalink for the post.');
    throw error;
  }
}

/** How far the reply is that stands for a first comment. */
const Reply = z.object({
  replyContainer: z.string().nullable().catch(null),
  /** Whether it was asked to be published, with whatever result. */
  isReplySent: z.boolean().catch(false),
});
type Reply = z.infer<typeof Reply>;

/**
 * A first comment is a reply, which is a post of its own: a container, then the call that publishes it. That call is made
 * again only where the container says that the one before had no effect.
 */
async function withReply(
  client: ThreadsClient,
  job: IntendedJob,
  post: LivePost,
  reply: Reply,
): Promise<LivePost> {
  const text = readOptions(ThreadsOptions, job.options).firstComment?.trim();
  if (!text) return post;
  const { platformPostId } = post;
  if (platformPostId === null) {
    throw new PlatformError(
      'rejected',
      'The first comment could not be posted: the id of the post is not known.',
    );
  }
  try {
    if (reply.replyContainer === null) {
      reply.replyContainer = await client.createContainer(replyParameters(platformPostId, text));
    }
    const { state, message } = await client.containerStatus(reply.replyContainer);
    if (state === 'PUBLISHED') return post;
    if (state === 'ERROR' || state === 'EXPIRED') throw containerError({ state, message });
    if (state === 'IN_PROGRESS') throw new PlatformError('retry', 'Threads is processing the first comment.');
    // The status may lag behind an earlier call whose answer was lost; the list of replies may not.
    if (reply.isReplySent && (await isReplyThere(client, job, platformPostId, text))) return post;
    reply.isReplySent = true;
    await client.publish(reply.replyContainer);
    return post;
  } catch (error) {
    if (isMissing(error)) throw new PlatformError('retry', 'Threads did not take the first comment yet.');
    throw error;
  }
}

async function isReplyThere(
  client: ThreadsClient,
  job: IntendedJob,
  mediaId: string,
  text: string,
): Promise<boolean> {
  const replies = await client.listReplies(firstIntent(job) - 60 * secondMs);
  return replies.some(
    ({ replied_to, text: listed = '' }) =>
      (replied_to === undefined || replied_to.id === mediaId) && plainText(listed) === plainText(text),
  );
}
