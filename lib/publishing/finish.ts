import { accountProblem, accountProblemCode } from '../accounts/problem.ts';
import { countFailure } from '../at-most-once/retry-policy.ts';
import { secondMs } from '../kernel/clock.ts';
import type { FinishStep, IntendedJob } from '../platforms/contract/adapter.ts';
import type { PlatformHttp } from '../platforms/contract/http.ts';
import type { LivePost, Preparation } from '../platforms/contract/live-post.ts';
import type { Problem } from '../targets/problem.ts';
import type { Target } from '../targets/schemas.ts';
import { PostTakenError } from '../targets/store.ts';
import { hasPartsLeft, livePartsOf } from '../targets/thread.ts';
import type { WorkerPorts } from './call-log.ts';
import { intendedJob, notingCompared } from './load-job.ts';
import { type AccountWork, failureProblem, judge, tryingAgain, waitUntil } from './step-failure.ts';
import {
  claimPost,
  commit,
  commitFailed,
  commitLive,
  commitLost,
  commitNotes,
  commitUnfinished,
  commitWake,
  endOfPart,
  type LiveTimes,
  livePostChanges,
  liveStatus,
} from './transitions.ts';
import type { Work } from './work.ts';

/**
 * Finishes a live target, or the latest live part of its thread, whose earlier worker crashed or had to wait. It may still be
 * `publishing`: see `liveStatus`.
 */
export async function finishTarget(ports: WorkerPorts, work: Work): Promise<void> {
  const { target, account } = work;
  await waitUntil(ports, Date.parse(target.wakeAt ?? ''));
  const problem = accountProblem(account);
  if (problem || !account) {
    const text = problem ?? 'the account was deleted';
    await endUnfinished(ports, target, { code: accountProblemCode(account), text });
    return;
  }
  const known: AccountWork = { ...work, account };
  const live = liveOf(target);
  let job: IntendedJob;
  try {
    job = await intendedJob(ports, known);
  } catch (error) {
    await recordUnfinished(ports, known, error);
    return;
  }
  await finish(ports, known, job, live);
}

/**
 * Commits that the target is live, then finishes it if anything is left to do.
 *
 * A post that certainly is the target's is claimed before, in a write of its own, which costs half of its share in a transaction.
 * What finishing only has to read, such as the permalink, is read then too, which saves a write. If the worker crashes meanwhile,
 * the claim is right all the same, and the next worker looks the call up and finds the post as its own. A post that was recognized
 * by its looks is claimed in the transaction: a claim that nothing follows could keep it from its real target.
 *
 * @param isCertain whether the last call certainly made this post
 * @throws LeaseLostError, PostTakenError as `updateTarget`
 */
export async function becomeLive(
  ports: WorkerPorts,
  work: AccountWork,
  job: IntendedJob,
  live: LivePost,
  times: LiveTimes,
  isCertain = false,
): Promise<void> {
  const isClaimed = isCertain && (await claimPost(ports, work.target, live));
  const begun = isClaimed && !live.isFinished ? await finishAhead(ports, work, job, live) : undefined;
  const done = begun?.state === 'done' && begun.warning === undefined ? begun : undefined;
  const isFinished = live.isFinished || done !== undefined;
  const post = isFinished ? { ...live, permalink: done?.post.permalink ?? live.permalink, isFinished } : live;
  const target = await commitLive(ports, work.target, post, times, isClaimed);
  if (!isFinished) await finish(ports, { ...work, target }, job, live, begun);
}

/** The time limit of what happens between the last call and the commit that says that it succeeded. */
const aheadMs = 2 * secondMs;

/**
 * Finishes a post that is not committed as live yet, if that only reads and takes a moment.
 *
 * @returns `undefined` if the post must be finished afterwards
 */
async function finishAhead(
  ports: WorkerPorts,
  { target, deadline }: AccountWork,
  job: IntendedJob,
  live: LivePost,
): Promise<FinishStep | undefined> {
  if (ports.now() + aheadMs > deadline) return undefined;
  const late = Promise.withResolvers<undefined>();
  const ending = new AbortController();
  const timer = setTimeout(() => {
    ending.abort();
    late.resolve(undefined);
  }, aheadMs);
  try {
    const adapter = await ports.adapterFor(target.platform);
    if (!adapter.finishesByReading?.(job)) return undefined;
    const tools = await ports.toolsFor(target.platform);
    const { http } = tools;
    const send: PlatformHttp['send'] = async (request) => {
      ending.signal.throwIfAborted();
      return http.send({ ...request, signal: ending.signal });
    };
    const note = () => Promise.reject(new Error('an adapter that finishes by reading has something to note'));
    const finishing = adapter.finish({ ...job, live, note }, { ...tools, http: { ...http, send } });
    return await Promise.race([finishing, late.promise]);
  } catch {
    // Finishing meets the error again, and says what it means for the target.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Does what {@link becomeLive} does, for a post that the last call certainly made: its response, or the platform's record of
 * the call, says so. If another target has claimed the post by mistake, because its text is the same, this target is live
 * without the id.
 */
export async function becomeLiveForCertain(
  ports: WorkerPorts,
  work: AccountWork,
  job: IntendedJob,
  live: LivePost,
  times: LiveTimes,
): Promise<void> {
  try {
    await becomeLive(ports, work, job, live, times, true);
  } catch (error) {
    if (!(error instanceof PostTakenError)) throw error;
    ports.report('a post was claimed by a destination that did not make it', error);
    const unclaimed = { ...live, platformPostId: null, isFinished: true };
    await becomeLive(ports, work, job, unclaimed, times);
  }
}

/**
 * Adds the first comment, thumbnail and playlist, and reads the permalink. The target stays published if any of this fails. It fails
 * if nobody can see the post any more.
 *
 * @param begun what became of the first step, if it was taken already
 */
async function finish(
  ports: WorkerPorts,
  work: AccountWork,
  job: IntendedJob,
  live: LivePost,
  begun?: FinishStep,
): Promise<void> {
  let { target } = work;
  const publishedMs = latestPublishedMs(target);
  const note = async (preparation: Preparation) => {
    target = await commitNotes(ports, target, preparation);
  };
  try {
    const tools = await ports.toolsFor(target.platform);
    const adapter = await ports.adapterFor(target.platform);
    const { call, isCompared } = notingCompared(job.call);
    const step = begun ?? (await adapter.finish({ ...job, call, live, note }, tools));
    if (step.state === 'lost') {
      await commitLost(ports, target, step.reason);
      return;
    }
    /** Claims a post that the platform has named only now, and certainly: the adapter did not find it by its looks. */
    const claimNamed = async (post: LivePost) => !isCompared(post) && (await claimPost(ports, target, post));
    if (step.state === 'waiting') {
      const { post, preparation, waitSeconds } = step;
      const status = liveStatus(ports, target, post, publishedMs);
      const isClaimed = await claimNamed(post);
      const changes = { status, preparation, ...livePostChanges(target, post, false), isClaimed };
      await commitWake(ports, target, { event: 'waiting' }, ports.now() + waitSeconds * secondMs, changes);
      return;
    }
    const { warning } = step;
    const isClaimed = await claimNamed(step.post);
    const named = { ...livePostChanges(target, step.post, true), isClaimed };
    if (hasPartsLeft(target) && step.post.platformPostId === null) {
      await commitFailed(ports, target, namelessPart, named);
      return;
    }
    await commit(
      ports,
      target,
      { event: 'finished', ...(warning !== undefined && { reason: warning }) },
      {
        ...named,
        ...endOfPart(ports, target),
        ...(warning !== undefined &&
          !hasPartsLeft(target) && { problem: { code: 'extra_failed', text: warning } }),
      },
    );
  } catch (error) {
    if (!(error instanceof PostTakenError)) {
      await recordUnfinished(ports, { ...work, target }, error);
      return;
    }
    // Another try would find the same id.
    ports.report('a post was claimed by a destination that did not make it', error);
    await endUnfinished(ports, target, { code: 'outcome_unknown', text: error.message });
  }
}

/** The problem of a thread of which the latest live part is not known by its id, so that nothing can reply to it. */
const namelessPart = {
  code: 'platform_unavailable',
  text: 'the platform does not show the part before it yet, to which this one replies',
} as const;

/**
 * Ends the work on a live target that could not be finished. A thread with parts left fails in part.
 *
 * @param problem why; its code is only for a thread
 */
async function endUnfinished(ports: WorkerPorts, target: Target, problem: Problem): Promise<void> {
  if (hasPartsLeft(target)) await commitFailed(ports, target, problem);
  else await commitUnfinished(ports, target, problem.text, problem.platformMessage);
}

/** Returns the time at which the latest live post of a target went live, in epoch milliseconds. */
const latestPublishedMs = (target: Target): number =>
  Date.parse(livePartsOf(target).at(-1)?.publishedAt ?? '');

async function recordUnfinished(ports: WorkerPorts, work: AccountWork, error: unknown): Promise<void> {
  const { target } = work;
  const decision = await judge(ports, work, error);
  if (decision.kind === 'retry') {
    await commitWake(ports, target, tryingAgain(error), decision.wakeMs, {
      ...countFailure(target, ports.now()),
      status: liveStatus(ports, target, liveOf(target), latestPublishedMs(target)),
    });
  } else {
    await endUnfinished(ports, target, failureProblem(error, decision));
  }
}

/** Returns the target's record of its latest post at the platform. */
function liveOf(target: Target): LivePost {
  const { platformPostId = null, permalink = null } = livePartsOf(target).at(-1) ?? {};
  return { platformPostId, permalink };
}
