import * as z from 'zod';
import type { PlatformAdapter } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import { comparableText, findListed, isSameText } from '../shared/find-listed.ts';
import { CommentNotes } from '../shared/first-comment.ts';
import { containerAdapter } from '../shared/meta/container-adapter.ts';
import { readOptions } from '../shared/options.ts';
import { deletingUnlessReadable } from '../shared/removal.ts';
import { absenceRule } from './absence.ts';
import { publishUrl, threadsClient } from './client.ts';
import { containerError, isDownloadFailure, isFixedByNewContainer, isMissing, threads } from './errors.ts';
import { settleSeconds } from './limits.ts';
import { containerPlan, matchesJob, replyParameters } from './map.ts';
import { ThreadsOptions } from './options.ts';

/** The progress of the reply that serves as the first comment. */
const Reply = CommentNotes.extend({
  replyContainer: z.string().nullable().catch(null),
  /** The former name of `isCommentSent`, as an earlier release noted it. */
  isReplySent: z.boolean().optional().catch(undefined),
});

const publishing = containerAdapter({
  name: threads.name,
  isMissing,
  isFixedByNewContainer,
  isDownloadFailure,
  containerError,
  settleSeconds,
  open: threadsClient,
  plan: containerPlan,
  lastCallUrl: publishUrl,
  absenceRule: () => absenceRule,

  listPosts: (client, { replyTo }, sinceMs) =>
    replyTo === undefined ? client.listPosts(sinceMs) : client.listReplies(sinceMs),
  matches: matchesJob,
  hasText: ({ content }) => comparableText(content) !== '',

  firstComment: ({ options }) => readOptions(ThreadsOptions, options).firstComment,
  readNotes(preparation) {
    const { isReplySent, ...notes } = Reply.parse(preparation);
    return { ...notes, isCommentSent: notes.isCommentSent || isReplySent === true };
  },
  /** Prepares the first comment: a reply, which Threads publishes like a post, with a container and a call that publishes it. */
  async prepareComment({ client, post, notes }) {
    notes.replyContainer ??= await client.createContainer(replyParameters(post.platformPostId, post.text));
    const { state, message } = await client.containerStatus(notes.replyContainer);
    if (state === 'ERROR' || state === 'EXPIRED') throw containerError({ state, message });
    if (state === 'IN_PROGRESS') throw new PlatformError('retry', 'Threads is processing the first comment.');
    return state === 'PUBLISHED' ? 'posted' : 'ready';
  },
  postComment: ({ client, notes }) => client.publish(notes.replyContainer ?? ''),
  async isCommentPosted({ client, post, notes, job }) {
    const status = await client.containerStatus(notes.replyContainer ?? '').catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      return undefined;
    });
    if (status?.state === 'PUBLISHED') return true;
    const { call } = job;
    const found = await findListed(
      client.listReplies(call.sinceMs),
      // A destination never claims a reply.
      { sinceMs: call.sinceMs, isTaken: async () => false },
      {
        idOf: ({ id }) => id,
        createdMs: ({ timestamp = '' }) => Date.parse(timestamp),
        likeness: ({ replied_to, text }) =>
          (replied_to === undefined || replied_to.id === post.platformPostId) && isSameText(text, post.text)
            ? 'text'
            : undefined,
      },
    );
    return found !== undefined;
  },
});

/** The Threads API. Every post is first a container, even a text. Threads downloads media from public URLs. */
export const threadsAdapter: PlatformAdapter = {
  ...publishing,

  removePost(post, tools) {
    const client = threadsClient(post, tools);
    const { platformPostId: id, account } = post;
    return deletingUnlessReadable(
      () => client.deletePost(id),
      isMissing,
      (what) => client.readId(what === 'account' ? account.platformAccountId : id),
    );
  },
};
