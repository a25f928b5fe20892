import { decideFailure, longestRetryMs } from '../at-most-once/retry-policy.ts';
import { secondMs } from '../kernel/clock.ts';
import type { IntendedJob, LivePost, Preparation, Reconciliation } from '../platforms/contract/adapter.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import { findLivePost } from '../targets/live-posts.ts';
import type { Target } from '../targets/schemas.ts';
import type { WorkerPorts } from './call-log.ts';
import { accountProblem, buildJob, type Work } from './load-work.ts';
import { type AccountWork, countFailure, judge, tryingAgain, waitUntil } from './step-failure.ts';
import {
  commit,
  commitFailed,
  commitLive,
  commitUnknown,
  commitWake,
  livePostChanges,
  liveStatus,
} from './transitions.ts';

/**
 * An intent without a result: the platform is asked before anything else is done. Proven absence allows another try;
 * doubt ends in a failure that says where to look, never in a second post.
 */
export async function reconcileTarget(ports: WorkerPorts, work: Work): Promise<void> {
  const { target, account } = work;
  await waitUntil(ports, Date.parse(target.wakeAt ?? ''));
  const problem = accountProblem(account);
  if (problem || !account) {
    await commitUnknown(ports, target, `the account on ${target.platform}`, problem);
    return;
  }
  const known: AccountWork = { ...work, account };
  let job: IntendedJob;
  let answer: Reconciliation;
  try {
    job = await intendedJob(ports, known);
    answer = await ports.adapterFor(target.platform).reconcile(job, await ports.toolsFor(target.platform));
  } catch (error) {
    const decision = await judge(ports, known, error);
    if (decision.kind === 'retry') {
      await commitWake(ports, target, tryingAgain(error), decision.wakeMs, countFailure(target, ports.now()));
    } else {
      await commitUnknown(ports, target, `the account on ${target.platform}`, decision.reason);
    }
    return;
  }
  switch (answer.state) {
    case 'live':
      return becomeLive(ports, known, job, answer.post, job.intentAt);
    case 'absent':
      return recordAbsence(ports, target, answer.preparation);
    case 'pending':
      if (ports.now() > job.intentAt + longestRetryMs) {
        await commitUnknown(ports, target, `the account on ${target.platform}`, 'the platform never told');
        return;
      }
      await commitWake(
        ports,
        target,
        { event: 'outcome unknown' },
        ports.now() + answer.waitSeconds * secondMs,
      );
      return;
    case 'unknown':
      await commitUnknown(ports, target, answer.where);
  }
}

/** Nothing is live and nothing will be: the last call failed, and is tried again as often as any other step. */
async function recordAbsence(ports: WorkerPorts, target: Target, preparation: Preparation): Promise<void> {
  const { refusal } = target;
  const failure = new PlatformError(
    refusal === undefined ? 'retry' : 'rejected',
    refusal ?? 'the platform did not carry out the last call',
  );
  const decision = decideFailure(failure, target, ports.now(), ports.chance());
  if (decision.kind === 'fail') {
    await commitFailed(ports, target, decision.reason);
    return;
  }
  await commitWake(ports, target, { event: 'nothing went live' }, decision.wakeMs, {
    ...countFailure(target, ports.now()),
    status: 'scheduled',
    intentAt: null,
    preparation,
  });
}

/** A live target whose worker died, or had to wait, before it was finished: `publishing` while its address is not known. */
export async function finishTarget(ports: WorkerPorts, work: Work): Promise<void> {
  const { target, account } = work;
  await waitUntil(ports, Date.parse(target.wakeAt ?? ''));
  const problem = accountProblem(account);
  if (problem || !account) {
    await commitUnfinished(ports, target, problem ?? 'the account is gone');
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

/** Notes that the target is live, and finishes what is left. @param publishedMs since when, in epoch milliseconds */
export async function becomeLive(
  ports: WorkerPorts,
  work: AccountWork,
  job: IntendedJob,
  live: LivePost,
  publishedMs: number,
): Promise<void> {
  const target = await commitLive(ports, work.target, live, publishedMs);
  if (!live.isFinished) await finish(ports, { ...work, target }, job, live);
}

/** First comment, thumbnail, permalink. Whatever happens here, the target stays published. */
async function finish(
  ports: WorkerPorts,
  work: AccountWork,
  job: IntendedJob,
  live: LivePost,
): Promise<void> {
  const { target } = work;
  const publishedMs = Date.parse(target.publishedAt ?? '');
  try {
    const tools = await ports.toolsFor(target.platform);
    const step = await ports.adapterFor(target.platform).finish({ ...job, live }, tools);
    if (step.state === 'waiting') {
      const { post, preparation, waitSeconds } = step;
      const status = liveStatus(ports, post, publishedMs);
      const changes = { status, preparation, ...livePostChanges(post) };
      await commitWake(ports, target, { event: 'waiting' }, ports.now() + waitSeconds * secondMs, changes);
      return;
    }
    const error = step.warning === undefined ? {} : { error: step.warning };
    await commit(
      ports,
      target,
      { event: 'finished', ...(step.warning !== undefined && { reason: step.warning }) },
      { status: 'published', ...livePostChanges(step.post), ...error, wakeAt: null },
    );
  } catch (error) {
    await recordUnfinished(ports, work, error);
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
    await commitUnfinished(ports, target, decision.reason);
  }
}

async function intendedJob(ports: WorkerPorts, work: AccountWork): Promise<IntendedJob> {
  const { workspaceId, accountId, postId, intentAt, publishedAt } = work.target;
  return {
    ...(await buildJob(ports, work)),
    intentAt: Date.parse(intentAt ?? publishedAt ?? ''),
    isTaken: async (platformPostId) => {
      const owner = await findLivePost(ports.table, { workspaceId, accountId, platformPostId });
      return owner !== undefined && owner !== postId;
    },
  };
}

/** What is known of a live target's post. */
function liveOf({ platformPostId, permalink }: Target): LivePost {
  return { platformPostId: platformPostId ?? null, permalink: permalink ?? null };
}

/** Leaves a live target as it is, with the reason why its extra is missing. */
export function commitUnfinished(ports: WorkerPorts, target: Target, why: string): Promise<Target> {
  const reason = `published, but not finished: ${why}`;
  return commit(
    ports,
    target,
    { event: 'finished', reason },
    { status: 'published', wakeAt: null, error: reason },
  );
}
