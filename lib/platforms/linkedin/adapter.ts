import { sha256 } from '../../kernel/ids.ts';
import type { FinishJob, PlatformAdapter, PublishJob } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import type { LivePost } from '../contract/live-post.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { hasStatus } from '../shared/error-table.ts';
import { comparableText } from '../shared/find-listed.ts';
import { type FinishingStep, finishInSteps } from '../shared/finishing.ts';
import { CommentNotes } from '../shared/first-comment.ts';
import { memberRule, organizationRule } from './absence.ts';
import { type LinkedinClient, linkedinClient, postsUrl } from './client.ts';
import { duplicateOf } from './errors.ts';
import { firstCommentOf, postFirstComment } from './first-comment.ts';
import { lookUp } from './look-up.ts';
import { isOrganization, permalinkOf, postRequest } from './map.ts';
import { isReady, Progress, prepare, sendsFile } from './prepare.ts';

/**
 * LinkedIn's Posts API. Preparation uploads the media and waits for processing; a single call makes the post live.
 *
 * An app can read an organization's posts, but not a member's. So a lost response leaves the outcome of a member's post
 * unknown: LinkedIn refuses some duplicates, but does not promise to, and sending the post again could make a second one.
 */
export const linkedinAdapter: PlatformAdapter = {
  prepare,
  isReady,

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
    const { assets } = Progress.parse(job.preparation);
    try {
      const urn = await linkedinClient(job, tools).createPost(postRequest(job, assets));
      // A member's post cannot be read, so without a comment there is nothing to finish.
      const isFinished = !isOrganization(job) && firstCommentOf(job) === undefined;
      return { platformPostId: urn, permalink: permalinkOf(urn), isFinished };
    } catch (error) {
      throw asDuplicate(job, error);
    }
  },

  lookUp,

  finish,
};

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
