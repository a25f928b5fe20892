import * as z from 'zod';
import { secondMs } from '../../kernel/clock.ts';
import type { IntendedJob, PlatformAdapter } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import { plainText } from '../shared/listed-posts.ts';
import { containerAdapter } from '../shared/meta/container-adapter.ts';
import { firstIntent } from '../shared/meta/containers.ts';
import { readOptions } from '../shared/options.ts';
import { publishUrl, type ThreadsClient, threadsClient } from './client.ts';
import { containerError, isFixedByNewContainer, isMissing, threads } from './errors.ts';
import { containerPlan, matchesJob, replyParameters } from './map.ts';
import { postKind, ThreadsOptions } from './options.ts';

/** The progress of the reply that serves as first comment. */
const Reply = z.object({
  replyContainer: z.string().nullable().catch(null),
  /** Whether a call to publish it was made, whatever its result. */
  isReplySent: z.boolean().catch(false),
});

/** The Threads API. Every post is first a container, even a text. Threads downloads media from public URLs. */
export const threadsAdapter: PlatformAdapter = containerAdapter({
  name: threads.name,
  isMissing,
  isFixedByNewContainer,
  containerError,
  open: threadsClient,
  plan: containerPlan,
  lastCallUrl: publishUrl,

  async listLikely(client, job) {
    const since = firstIntent(job);
    const listed = await client.listPosts(since - 60 * secondMs);
    return listed.filter((item) => matchesJob(item, postKind(job.media), job.content, since));
  },

  firstComment: ({ options }) => readOptions(ThreadsOptions, options).firstComment,
  readKept: (preparation) => Reply.parse(preparation),
  /**
   * A first comment is a reply, which Threads publishes like a post: a container, then the call that publishes it. That
   * call is repeated only if the container's status says that the previous one had no effect.
   */
  async comment(client, job, platformPostId, text, reply) {
    reply.replyContainer ??= await client.createContainer(replyParameters(platformPostId, text));
    const { state, message } = await client.containerStatus(reply.replyContainer);
    if (state === 'PUBLISHED') return;
    if (state === 'ERROR' || state === 'EXPIRED') throw containerError({ state, message });
    if (state === 'IN_PROGRESS') throw new PlatformError('retry', 'Threads is processing the first comment.');
    // If an earlier call's response was lost, the status may lag; the list of replies may be newer.
    if (reply.isReplySent && (await isReplyPosted(client, job, platformPostId, text))) return;
    reply.isReplySent = true;
    await client.publish(reply.replyContainer);
  },
});

async function isReplyPosted(
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
