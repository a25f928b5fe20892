import type * as z from 'zod';
import { sha256 } from '../../kernel/ids.ts';
import type { FinishJob, IntendedJob, PlatformAdapter, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { Finding } from '../contract/last-call.ts';
import type { LivePost } from '../contract/live-post.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { hasStatus } from '../shared/error-table.ts';
import { clockSlackMs, comparableText, findListed } from '../shared/find-listed.ts';
import { type FinishingStep, finishInSteps } from '../shared/finishing.ts';
import { CommentNotes, commentOnce } from '../shared/first-comment.ts';
import { ifReadable } from '../shared/if-readable.ts';
import { readOptions } from '../shared/options.ts';
import { deleting, isNoSuchPost } from '../shared/removal.ts';
import { visibleText } from '../shared/text.ts';
import { memberRule, organizationRule } from './absence.ts';
import { type LinkedinClient, linkedinClient, postsUrl } from './client.ts';
import { duplicateOf } from './errors.ts';
import {
  isOrganization,
  likenessOf,
  livePostOf,
  permalinkOf,
  postRequest,
  type ReadPost,
  urnCreatedMs,
} from './map.ts';
import { LinkedinOptions } from './options.ts';
import { isPictureLate, Progress, prepare, sendsFile, withoutPicture } from './prepare.ts';

/**
 * LinkedIn's Posts API. Preparation uploads the media and waits for processing; a single call makes the post live.
 *
 * An app can read an organization's posts, but not a member's. So a lost response leaves the outcome of a member's post
 * unknown: LinkedIn refuses some duplicates, but does not promise to, and sending the post again could make a second one.
 */
export const linkedinAdapter: PlatformAdapter = {
  prepare,

  sendsFile,

  tokenOf(job) {
    const { assets, duplicateUrn } = Progress.parse(job.preparation);
    return {
      text: sha256(comparableText(job.content)).slice(0, 16),
      ...(assets.length > 0 && { assets }),
      ...(duplicateUrn !== null && { duplicateUrn }),
    };
  },

  absenceRule: (job) => (isOrganization(job) ? organizationRule : memberRule),

  lastCallUrl: () => postsUrl,

  async goLive(job, tools) {
    const progress = Progress.parse(job.preparation);
    const { assets } = progress;
    try {
      const urn = await linkedinClient(job, tools).createPost(postRequest(job, assets));
      // A member's post cannot be read, so without a comment there is nothing to finish.
      const isFinished = !isOrganization(job) && firstCommentOf(job) === undefined;
      return { platformPostId: urn, permalink: permalinkOf(urn), isFinished };
    } catch (error) {
      if (isOfPicture(job, progress, error, tools.now()))
        throw new PlatformError(
          'retry',
          'LinkedIn could not process the picture of the card: it is left out',
          {
            ...{ status: error.status, platformCode: error.platformCode, retryAfterSeconds: 1 },
            preparation: withoutPicture(progress),
            cause: error,
          },
        );
      throw asDuplicate(job, error);
    }
  },

  lookUp,

  finish,

  removePost: (post, tools) =>
    deleting(() => linkedinClient(post, tools).deletePost(post.platformPostId), isNoSuchPost),
};

/**
 * Returns true if LinkedIn refused the post because of its card's picture, which it could not process, or not in time. The state of a
 * member's picture cannot be read before.
 */
const isOfPicture = (
  { media }: PublishJob,
  progress: Progress,
  error: unknown,
  now: number,
): error is PlatformError =>
  media.length === 0 &&
  progress.assets.length > 0 &&
  error instanceof PlatformError &&
  (error.platformCode === 'MEDIA_ASSET_PROCESSING_FAILED' ||
    (error.platformCode === 'MEDIA_ASSET_WAITING_UPLOAD' && isPictureLate(progress, now)));

/**
 * Adds the post that LinkedIn names when it refuses a duplicate, so that `lookUp` asks about it: the refused call, or
 * an earlier one of unknown outcome, may have made it. Leaves other errors as they are.
 */
function asDuplicate(job: PublishJob, error: unknown): unknown {
  const duplicateUrn = duplicateOf(error);
  if (duplicateUrn === undefined || !(error instanceof PlatformError)) return error;
  const { message, status, platformCode } = error;
  return new PlatformError('unknown', message, {
    status,
    platformCode,
    ifAbsent: 'rejected',
    preparation: { ...Progress.parse(job.preparation), duplicateUrn },
    cause: error,
  });
}

/**
 * Looks up the outcome of a last call: searches the list of an organization's posts, and reads the post that LinkedIn
 * named if it refused the call as a duplicate. The posts of a member cannot be read.
 */
async function lookUp(job: IntendedJob, tools: PlatformTools): Promise<Finding> {
  const client = linkedinClient(job, tools);
  // The records of earlier releases have the sent data only in the preparation.
  const sent = Progress.parse({ ...job.preparation, ...job.call.token });
  if (sent.duplicateUrn !== null) {
    const finding = await judgeDuplicate(job, client, sent.duplicateUrn);
    if (finding) return finding;
  }
  if (!isOrganization(job)) return { state: 'unseen' };
  const recognition = {
    idOf: ({ id }: ReadPost) => id,
    createdMs: ({ createdMs }: ReadPost) => createdMs,
    likeness: (post: ReadPost) => likenessOf(post, job, sent.assets),
  };
  const post = await ifReadable(() => findListed(client.listPosts(), job.call, recognition));
  return post ? { state: 'live', post: livePostOf(post) } : { state: 'unseen' };
}

/**
 * Judges a refusal as a duplicate. If the named post is older than the call or belongs to another target, the refused
 * call made nothing. Otherwise the call itself, or an earlier one of unknown outcome, made the post. Its text is not
 * compared: LinkedIn has compared it, and may show it with changes.
 *
 * A post that cannot be read is never taken as proof of success: LinkedIn has been observed to name new posts that do
 * not exist.
 *
 * @returns undefined if the refusal proves nothing
 */
async function judgeDuplicate(
  job: IntendedJob,
  client: LinkedinClient,
  urn: string,
): Promise<Finding | undefined> {
  const { sinceMs, isTaken } = job.call;
  const named = isOrganization(job) ? await ifReadable(() => client.readPost(urn)) : undefined;
  const isOlder = (named?.createdMs ?? urnCreatedMs(urn)) < sinceMs - clockSlackMs;
  if (isOlder || (await isTaken(named?.id ?? urn))) {
    const owner = isOlder ? 'which is older than the call' : 'which another destination published';
    return {
      state: 'absent',
      proof: `LinkedIn refused the post as a duplicate of ${urn}, ${owner}`,
      preparation: { ...Progress.parse(job.preparation), duplicateUrn: null },
    };
  }
  return named && { state: 'live', post: livePostOf(named) };
}

function finish(job: FinishJob, tools: PlatformTools) {
  const client = linkedinClient(job, tools);
  const notes = CommentNotes.parse(job.preparation);
  let canBeVisible = true;
  const visible: FinishingStep = async (post, waits) => {
    if (isOrganization(job)) canBeVisible = await isVisible(client, post, waits);
    if (canBeVisible) return post;
    throw new PlatformError(
      'rejected',
      'LinkedIn accepted the post, but could not publish it: it is not visible.',
    );
  };
  const commented: FinishingStep = async (post) => {
    const text = firstCommentOf(job);
    if (text !== undefined && canBeVisible) await postFirstComment(job, client, notes, post, text);
    return post;
  };
  return finishInSteps(job, [visible, commented], () => ({ ...notes }));
}

/** The number of waits after which to finish without confirmation. An accepted post is not visible immediately. */
const visibilityPolls = 3;

/** Returns true if an accepted post is visible, or may still become so. @throws PlatformError `retry` while that is not known */
async function isVisible(client: LinkedinClient, post: LivePost, waits: number): Promise<boolean> {
  if (post.platformPostId === null) return true;
  const { lifecycleState } = await client.readPost(post.platformPostId).catch((error: unknown) => {
    if (hasStatus(error, 404)) throw new PlatformError('retry', 'LinkedIn does not show the post yet.');
    throw error;
  });
  if (lifecycleState === 'PUBLISH_REQUESTED' && waits < visibilityPolls) {
    throw new PlatformError('retry', 'LinkedIn has not published the post yet.', { retryAfterSeconds: 5 });
  }
  return lifecycleState !== 'PUBLISH_FAILED';
}

/** Returns the text of the first comment, if the post has one. */
function firstCommentOf({ options }: Pick<PublishJob, 'options'>): string | undefined {
  return visibleText(readOptions(LinkedinOptions, options).firstComment);
}

/**
 * Posts the first comment at most once. If the outcome is not known, an organization's comments are read; a member's
 * token may not read them.
 *
 * @param notes the notes of earlier attempts; mutated
 * @throws PlatformError `retry` while LinkedIn does not know the post yet
 */
async function postFirstComment(
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
