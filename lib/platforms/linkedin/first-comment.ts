import type * as z from 'zod';
import type { FinishJob, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { LivePost } from '../contract/live-post.ts';
import { type CommentNotes, commentOnce } from '../shared/first-comment.ts';
import { ifReadable } from '../shared/if-readable.ts';
import { readOptions } from '../shared/options.ts';
import type { LinkedinClient } from './client.ts';
import { LinkedinOptions } from './options.ts';

/** Returns the text of the first comment, if the post has one. */
export function firstCommentOf({ options }: Pick<PublishJob, 'options'>): string | undefined {
  return readOptions(LinkedinOptions, options).firstComment?.trim() || undefined;
}

/**
 * Posts the first comment at most once. If the outcome is not known, an organization's comments are read; a member's
 * token may not read them.
 *
 * @param notes the notes of earlier attempts; mutated
 * @throws PlatformError `retry` while LinkedIn does not know the post yet
 */
export async function postFirstComment(
  job: FinishJob,
  client: LinkedinClient,
  notes: z.infer<typeof CommentNotes>,
  { platformPostId: urn }: LivePost,
  text: string,
): Promise<void> {
  if (urn === null) return;
  const steps = {
    name: 'LinkedIn',
    post: () => client.comment(urn, text),
    isPosted: () => ifReadable(() => client.hasOwnComment(urn, text)),
  };
  await commentOnce(notes, steps, () => job.note({ ...job.preparation, ...notes })).catch(
    (error: unknown) => {
      throw explained(error);
    },
  );
}

/** Explains a refused comment. The Comments API has permissions of its own, which an app that may post need not have. */
function explained(error: unknown): unknown {
  if (!(error instanceof PlatformError)) return error;
  if (error.status === 404)
    return new PlatformError('retry', 'LinkedIn does not accept the first comment yet.', { cause: error });
  if (error.status !== 403 || error.remedy === 'retry') return error;
  const message = `The first comment is missing: LinkedIn does not allow this app to comment as the account (${error.platformCode}).`;
  return new PlatformError('rejected', message, { cause: error });
}
