import { accountProblem } from '../accounts/problem.ts';
import { countFailure } from '../at-most-once/retry-policy.ts';
import { secondMs } from '../kernel/clock.ts';
import type { IntendedJob } from '../platforms/contract/adapter.ts';
import type { LivePost, Preparation } from '../platforms/contract/live-post.ts';
import { quoteOf } from '../targets/problem.ts';
import type { Target } from '../targets/schemas.ts';
import { PostTakenError } from '../targets/store.ts';
import type { WorkerPorts } from './call-log.ts';
import { intendedJob } from './load-job.ts';
import { type AccountWork, judge, tryingAgain, waitUntil } from './step-failure.ts';
import {
  commit,
  commitLive,
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
 * @param isCertain see {@link commitLive}
 */
export async function becomeLive(
  ports: WorkerPorts,
  work: AccountWork,
  job: IntendedJob,
  live: LivePost,
  times: LiveTimes,
  isCertain = false,
): Promise<void> {
  const target = await commitLive(ports, work.target, live, times, isCertain);
  if (!live.isFinished) await finish(ports, { ...work, target }, job, live);
}

/**
 * As {@link becomeLive}, for a post that the last call certainly made: its response, or the platform's record of the
 * call, says so. If another target has claimed the post by mistake, because its text is the same, this target is live
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

/** Adds the first comment, thumbnail and playlist, and reads the permalink. The target stays published if any of this fails. */
async function finish(
  ports: WorkerPorts,
  work: AccountWork,
  job: IntendedJob,
  live: LivePost,
): Promise<void> {
  let { target } = work;
  const publishedMs = Date.parse(target.publishedAt ?? '');
  const note = async (preparation: Preparation) => {
    target = await commitNotes(ports, target, preparation);
  };
  try {
    const tools = await ports.toolsFor(target.platform);
    const adapter = await ports.adapterFor(target.platform);
    const step = await adapter.finish({ ...job, live, note }, tools);
    if (step.state === 'waiting') {
      const { post, preparation, waitSeconds } = step;
      const status = liveStatus(ports, post, publishedMs);
      const changes = { status, preparation, ...livePostChanges(post) };
      await commitWake(ports, target, { event: 'waiting' }, ports.now() + waitSeconds * secondMs, changes);
      return;
    }
    const { warning } = step;
    await commit(
      ports,
      target,
      { event: 'finished', ...(warning !== undefined && { reason: warning }) },
      {
        status: 'published',
        ...livePostChanges(step.post),
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

/** What the target records about its post at the platform. */
function liveOf({ platformPostId, permalink }: Target): LivePost {
  return { platformPostId: platformPostId ?? null, permalink: permalink ?? null };
}
