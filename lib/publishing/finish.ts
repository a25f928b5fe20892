import { accountProblem } from '../accounts/problem.ts';
import { countFailure } from '../at-most-once/retry-policy.ts';
import { secondMs } from '../kernel/clock.ts';
import type { FinishStep, IntendedJob } from '../platforms/contract/adapter.ts';
import type { PlatformHttp } from '../platforms/contract/http.ts';
import type { LivePost, Preparation } from '../platforms/contract/live-post.ts';
import { quoteOf } from '../targets/problem.ts';
import type { Target } from '../targets/schemas.ts';
import { PostTakenError } from '../targets/store.ts';
import type { WorkerPorts } from './call-log.ts';
import { intendedJob, notingCompared } from './load-job.ts';
import { type AccountWork, judge, tryingAgain, waitUntil } from './step-failure.ts';
import {
  claimPost,
  commit,
  commitLive,
  commitLost,
  commitNotes,
  commitUnfinished,
  commitWake,
  type LiveTimes,
  livePostChanges,
  liveStatus,
} from './transitions.ts';
import type { Work } from './work.ts';

/** Finishes a live target whose earlier worker crashed or had to wait. It may still be `publishing`: see `liveStatus`. */
export async function finishTarget(ports: WorkerPorts, work: Work): Promise<void> {
  const { target, account } = work;
  await waitUntil(ports, Date.parse(target.wakeAt ?? ''));
  const problem = accountProblem(account);
  if (problem || !account) {
    await commitUnfinished(ports, target, problem ?? 'the account was deleted');
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
  const publishedMs = Date.parse(target.publishedAt ?? '');
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
      const status = liveStatus(ports, post, publishedMs);
      const isClaimed = await claimNamed(post);
      const changes = { status, preparation, ...livePostChanges(post), isClaimed };
      await commitWake(ports, target, { event: 'waiting' }, ports.now() + waitSeconds * secondMs, changes);
      return;
    }
    const { warning } = step;
    const isClaimed = await claimNamed(step.post);
    await commit(
      ports,
      target,
      { event: 'finished', ...(warning !== undefined && { reason: warning }) },
      {
        status: 'published',
        ...livePostChanges(step.post),
        isClaimed,
        wakeAt: null,
        ...(warning !== undefined && { problem: { code: 'extra_failed', text: warning } }),
      },
    );
  } catch (error) {
    if (!(error instanceof PostTakenError)) {
      await recordUnfinished(ports, { ...work, target }, error);
      return;
    }
    // Another try would find the same id.
    ports.report('a post was claimed by a destination that did not make it', error);
    await commitUnfinished(ports, target, error.message);
  }
}

async function recordUnfinished(ports: WorkerPorts, work: AccountWork, error: unknown): Promise<void> {
  const { target } = work;
  const decision = await judge(ports, work, error);
  if (decision.kind === 'retry') {
    await commitWake(ports, target, tryingAgain(error), decision.wakeMs, {
      ...countFailure(target, ports.now()),
      status: liveStatus(ports, liveOf(target), Date.parse(target.publishedAt ?? '')),
    });
  } else {
    await commitUnfinished(ports, target, decision.reason, quoteOf(error));
  }
}

/** Returns the target's record of its post at the platform. */
function liveOf({ platformPostId, permalink }: Target): LivePost {
  return { platformPostId: platformPostId ?? null, permalink: permalink ?? null };
}
