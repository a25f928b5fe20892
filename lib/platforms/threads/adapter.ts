import * as z from 'zod';
import { secondMs } from '../../kernel/clock.ts';
import type { IntendedJob, PlatformAdapter } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import { containerAdapter } from '../shared/meta/container-adapter.ts';
import { firstIntent, plainText } from '../shared/meta/containers.ts';
import { readOptions } from '../shared/options.ts';
import { type ThreadsClient, threadsClient } from './client.ts';
import { containerError, isCuredByNewContainer, isMissing, threads } from './errors.ts';
import { containerPlan, looksLike, replyParameters } from './map.ts';
import { postKind, ThreadsOptions } from './options.ts';

/** How far the reply is that stands for a first comment. */
const Reply = z.object({
  replyContainer: z.string().nullable().catch(null),
  /** Whether it was asked to be published, with whatever result. */
  isReplySent: z.boolean().catch(false),
});

/** The Threads API: every post, a text too, is a container first; media is fetched by Threads from public addresses. */
export const threadsAdapter: PlatformAdapter = containerAdapter({
  name: threads.name,
  isMissing,
  isCuredByNewContainer,
  containerError,
  open: threadsClient,
  plan: containerPlan,

  async listLikely(client, job) {
    const since = firstIntent(job);
    const listed = await client.listPosts(since - 60 * secondMs);
    return listed.filter((item) => looksLike(item, postKind(job.media), job.content, since));
  },

  firstComment: ({ options }) => readOptions(ThreadsOptions, options).firstComment,
  readKept: (preparation) => Reply.parse(preparation),
  /**
   * A first comment is a reply, which is a post of its own: a container, then the call that publishes it. That call is
   * made again only if the container says that the one before had no effect.
   */
  async comment(client, job, platformPostId, text, reply) {
    reply.replyContainer ??= await client.createContainer(replyParameters(platformPostId, text));
    const { state, message } = await client.containerStatus(reply.replyContainer);
    if (state === 'PUBLISHED') return;
    if (state === 'ERROR' || state === 'EXPIRED') throw containerError({ state, message });
    if (state === 'IN_PROGRESS') throw new PlatformError('retry', 'Threads is processing the first comment.');
    // The status may lag behind an earlier call whose answer was lost; the list of replies may not.
    if (reply.isReplySent && (await isReplyThere(client, job, platformPostId, text))) return;
    reply.isReplySent = true;
    await client.publish(reply.replyContainer);
  },
});

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
