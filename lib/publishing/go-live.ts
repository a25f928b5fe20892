import { dayMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import type { LivePost, PublishJob } from '../platforms/contract/adapter.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { Target } from '../targets/schemas.ts';
import type { WorkerPorts } from './call-log.ts';
import { accountProblem, buildJob, stepDeadline, type Work } from './load-work.ts';
import { becomeLive } from './reconcile.ts';
import { type AccountWork, recordFailure, waitInPlaceMs, waitUntil } from './step-failure.ts';
import { commit, commitFailed, commitWake, type Step } from './transitions.ts';

/** How late a target may still be published after an outage. */
const latestMs = dayMs;

/** The longest last call, and its commit. */
const goLiveLeaseMs = 90 * secondMs;

/**
 * The call is made within this time of its intent or not at all: who takes over when the lease ends counts on the call
 * being over by then. Only a process that stood still takes longer.
 */
const callWithinMs = 15 * secondMs;

/** A look that falls within this time before the due moment is taken at that moment: one worker fewer is woken. */
const lastLookMs = 90 * secondMs;

/** Before the first question about an unknown outcome: the platform's reads may lag behind its writes. */
const reconcileAfterMs = 10 * secondMs;

/** A scheduled target: prepared ahead of its time, live at it. */
export async function publishScheduled(ports: WorkerPorts, work: Work): Promise<void> {
  const { target, account } = work;
  const dueMs = Date.parse(target.scheduledFor ?? work.post.createdAt);
  const wakeMs = Date.parse(target.wakeAt ?? '');
  const problem = accountProblem(account);
  // What is due in seconds is made ready for its second, and the first step may come early; any other wake is waited for.
  const isBegun = target.preparation !== undefined || target.failures > 0;
  if (problem || (isBegun && wakeMs !== dueMs)) await waitUntil(ports, wakeMs);
  if (ports.now() > dueMs + latestMs) {
    await commitFailed(ports, target, `missed: it was due at ${toTimestamp(dueMs)}, more than 24 hours ago`);
    return;
  }
  if (problem || !account) {
    // The account may be back by the target's time; only then does its trouble fail the target.
    if (ports.now() < dueMs) await commitWake(ports, target, waitingFor(problem), dueMs);
    else await commitFailed(ports, target, problem ?? 'the account is gone');
    return;
  }
  const known: AccountWork = { ...work, account };
  let prepared: Prepared | undefined;
  try {
    prepared = await prepare(ports, known, await buildJob(ports, known), dueMs);
  } catch (error) {
    await recordFailure(ports, known, error);
    return;
  }
  if (!prepared) return;
  if (dueMs - ports.now() > waitInPlaceMs || dueMs > work.deadline) {
    const { preparation } = prepared.job;
    await commitWake(ports, prepared.target, { event: 'prepared' }, dueMs, { preparation });
    return;
  }
  await waitUntil(ports, dueMs);
  await goLive(ports, { ...known, target: prepared.target }, prepared.job);
}

const waitingFor = (problem: string | undefined): Step =>
  problem === undefined ? { event: 'waiting' } : { event: 'waiting', reason: problem };

interface Prepared {
  readonly target: Target;
  readonly job: PublishJob;
}

/**
 * Takes the adapter's steps, each committed before the next relies on it.
 *
 * @returns `undefined` where the rest was left to the next wake
 */
async function prepare(
  ports: WorkerPorts,
  work: AccountWork,
  first: PublishJob,
  dueMs: number,
): Promise<Prepared | undefined> {
  let { target } = work;
  const adapter = ports.adapterFor(target.platform);
  const tools = await ports.toolsFor(target.platform);
  let job = first;
  let waitedMs = 0;
  for (;;) {
    const step = await adapter.prepare(job, tools);
    const { preparation } = step;
    job = { ...job, preparation, deadline: stepDeadline(ports, work) };
    if (step.state === 'ready') return { target, job };
    const waitMs = step.state === 'waiting' ? step.waitSeconds * secondMs : 0;
    const nextMs = ports.now() + waitMs;
    waitedMs += waitMs;
    if (waitedMs > waitInPlaceMs || nextMs >= work.deadline) {
      const isLastLook = nextMs < dueMs && dueMs - nextMs < lastLookMs;
      await commitWake(ports, target, { event: 'preparing' }, isLastLook ? dueMs : nextMs, { preparation });
      return undefined;
    }
    if (step.state === 'waiting') await ports.sleep(waitMs);
    else {
      // A slice of an upload begins the lease anew; a look that brought nothing leaves nothing to commit.
      target = await commit(ports, target, { event: 'preparing' }, { preparation });
      waitedMs = 0;
    }
  }
}

/** Writes the intent, makes the one call that cannot be taken back, and notes what came of it. */
async function goLive(ports: WorkerPorts, work: AccountWork, job: PublishJob): Promise<void> {
  const adapter = ports.adapterFor(work.target.platform);
  const tools = await ports.toolsFor(work.target.platform);
  const intentAt = ports.now();
  const target = await commit(
    ports,
    work.target,
    { event: 'going live' },
    {
      status: 'publishing',
      preparation: job.preparation,
      intentAt: toTimestamp(intentAt),
      refusal: null,
      leaseUntil: toTimestamp(intentAt + goLiveLeaseMs),
    },
  );
  if (ports.now() > intentAt + callWithinMs) {
    const late = new PlatformError('retry', 'an error on our side: the last call would have come too late');
    await recordFailure(ports, { ...work, target }, late);
    return;
  }
  let live: LivePost;
  try {
    live = await adapter.goLive(job, tools);
  } catch (error) {
    if (error instanceof PlatformError && error.remedy !== 'unknown') {
      await recordFailure(ports, { ...work, target }, error);
      return;
    }
    // Anything else, an error of our own too, leaves the outcome open: only the platform knows.
    if (!(error instanceof PlatformError)) ports.report('the last call failed', error);
    const reason = error instanceof PlatformError ? error.message : 'an error on our side';
    const isRefused = error instanceof PlatformError && error.ifAbsent === 'rejected';
    const left = error instanceof PlatformError ? error.preparation : undefined;
    await commitWake(ports, target, { event: 'outcome unknown', reason }, ports.now() + reconcileAfterMs, {
      refusal: isRefused ? reason : null,
      ...(left && { preparation: left }),
    });
    return;
  }
  await becomeLive(ports, { ...work, target }, { ...job, intentAt }, live, ports.now());
}
