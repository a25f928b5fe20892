import { minuteMs, secondMs } from '../../kernel/clock.ts';
import type { IntendedJob, LivePost, PlatformAdapter, Reconciliation } from '../contract/adapter.ts';
import { PlatformError } from '../contract/errors.ts';
import { hasStatus } from '../shared/error-table.ts';
import { finishInSteps } from '../shared/finishing.ts';
import { type LinkedinClient, linkedinClient, postsUrl } from './client.ts';
import { duplicateOf } from './errors.ts';
import { isOrganization, matchesJob, permalinkOf, postRequest } from './map.ts';
import { Progress, prepare } from './prepare.ts';

/**
 * LinkedIn's Posts API. Preparation uploads the media and waits for processing; a single call makes the post live.
 *
 * An app can read an organization's posts, but not a member's. The only way to reconcile a member's post is to send the
 * same bytes again: for about ten minutes LinkedIn refuses them with the id of the existing post.
 */
export const linkedinAdapter: PlatformAdapter = {
  prepare,

  lastCallUrl: () => postsUrl,

  async goLive(job, tools) {
    const { assets, firstIntentAt } = Progress.parse(job.preparation);
    const client = linkedinClient(job, tools);
    try {
      // A member's post cannot be read, so there is nothing to finish.
      const isFinished = !isOrganization(job);
      return { ...livePost(await client.createPost(postRequest(job, assets))), isFinished };
    } catch (error) {
      const urn = duplicateOf(error);
      if (urn === undefined || firstIntentAt === null) throw error;
      // An earlier call was declared absent, but LinkedIn's list may have lagged.
      if (matchesJob(await readDuplicate(client, urn), job, assets, firstIntentAt)) return livePost(urn);
      throw error;
    }
  },

  reconcile(job, tools) {
    const client = linkedinClient(job, tools);
    const sinceIntentMs = tools.now() - job.intentAt;
    return isOrganization(job) ? findPost(client, job, sinceIntentMs) : sendAgain(client, job, sinceIntentMs);
  },

  finish(job, tools) {
    if (!isOrganization(job)) return finishInSteps(job, []);
    const client = linkedinClient(job, tools);
    return finishInSteps(job, [(post, waits) => requireVisible(client, post, waits)]);
  },
};

/** How long LinkedIn's list may take to show an accepted post. */
const settlingMs = minuteMs;
/** Before this the first call may still be in progress. */
const earliestRepeatMs = 30 * secondMs;
/** LinkedIn documents ten minutes; a later repeat may become a second post. */
const latestRepeatMs = 8 * minuteMs;
/** An accepted post is not visible immediately. After this many waits, finish without confirmation. */
const visibilityPolls = 3;

function livePost(urn: string): LivePost {
  return { platformPostId: urn, permalink: permalinkOf(urn) };
}

function pendingUntil(milliseconds: number): Reconciliation {
  return { state: 'pending', waitSeconds: Math.max(1, Math.ceil(milliseconds / secondMs)) };
}

async function findPost(
  client: LinkedinClient,
  job: IntendedJob,
  sinceIntentMs: number,
): Promise<Reconciliation> {
  const progress = Progress.parse(job.preparation);
  const firstIntentAt = progress.firstIntentAt ?? job.intentAt;
  for (const post of await client.listPosts()) {
    const isOurs = matchesJob(post, job, progress.assets, firstIntentAt) && !(await job.isTaken?.(post.id));
    if (isOurs) return { state: 'live', post: livePost(post.id) };
  }
  if (sinceIntentMs < settlingMs) return pendingUntil(Math.min(settlingMs - sinceIntentMs, 15 * secondMs));
  return { state: 'absent', preparation: { ...progress, firstIntentAt } };
}

/**
 * Reconciles by sending the same bytes again. Either LinkedIn refuses them and names the existing post, or it accepts
 * them as the post. In both cases there is exactly one.
 */
async function sendAgain(
  client: LinkedinClient,
  job: IntendedJob,
  sinceIntentMs: number,
): Promise<Reconciliation> {
  const unknown = { state: 'unknown', where: "the member's posts and activity on LinkedIn" } as const;
  if (sinceIntentMs > latestRepeatMs) return unknown;
  if (sinceIntentMs < earliestRepeatMs) return pendingUntil(earliestRepeatMs - sinceIntentMs);
  const { assets } = Progress.parse(job.preparation);
  try {
    return { state: 'live', post: livePost(await client.createPost(postRequest(job, assets))) };
  } catch (error) {
    const urn = duplicateOf(error);
    // If the duplicate belongs to another target, LinkedIn refused both calls because of that post.
    if (urn !== undefined && !(await job.isTaken?.(urn))) return { state: 'live', post: livePost(urn) };
    if (error instanceof PlatformError && error.remedy === 'unknown') return unknown;
    throw error;
  }
}

/** Reads the post that LinkedIn named as a duplicate. @throws PlatformError `unknown` if it cannot be read */
async function readDuplicate(client: LinkedinClient, urn: string) {
  try {
    return await client.readPost(urn);
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    const { message, status, platformCode } = error;
    throw new PlatformError('unknown', message, { status, platformCode, cause: error });
  }
}

async function requireVisible(client: LinkedinClient, post: LivePost, waits: number): Promise<LivePost> {
  if (post.platformPostId === null) return post;
  const { lifecycleState } = await client.readPost(post.platformPostId).catch((error: unknown) => {
    if (hasStatus(error, 404)) throw new PlatformError('retry', 'LinkedIn does not show the post yet.');
    throw error;
  });
  if (lifecycleState === 'PUBLISH_FAILED') {
    throw new PlatformError(
      'rejected',
      'LinkedIn accepted the post, but could not publish it: it is not visible.',
    );
  }
  if (lifecycleState === 'PUBLISH_REQUESTED' && waits < visibilityPolls) {
    throw new PlatformError('retry', 'LinkedIn has not published the post yet.', { retryAfterSeconds: 5 });
  }
  return post;
}
