import { isDeepStrictEqual } from 'node:util';
import { secondMs } from '../kernel/clock.ts';
import type { PrepareStep, PublishJob } from '../platforms/contract/adapter.ts';
import type { Preparation } from '../platforms/contract/live-post.ts';
import type { Target } from '../targets/schemas.ts';
import type { TargetChanges } from '../targets/store.ts';
import type { WorkerPorts } from './call-log.ts';
import type { AccountWork } from './step-failure.ts';
import { pollInPlaceMs, stepMs } from './time-limits.ts';
import { commit, commitNotes, commitWake, type Step } from './transitions.ts';
import { stepDeadline } from './work.ts';

/** If the next status check would come this shortly before the due time, it happens at the due time: one wake fewer. */
const joinsDueTimeMs = 90 * secondMs;

/** A target that only needs its last call. */
export interface Prepared {
  readonly target: Target;
  readonly job: PublishJob;
}

/**
 * Runs the adapter's preparation steps, and commits each before the next. Three are not committed here: a cheap step and one that
 * is followed by a short wait, unless the next one fails, and the last one, which the caller commits.
 *
 * @param dueMs when the target is due, in epoch milliseconds
 * @returns `undefined` if the rest is left to the next wake
 * @throws PlatformError if a step fails
 * @throws LeaseLostError if another worker has taken the target, or it was edited or deleted
 */
export async function prepare(
  ports: WorkerPorts,
  work: AccountWork,
  first: PublishJob,
  dueMs: number,
): Promise<Prepared | undefined> {
  let { target } = work;
  const adapter = await ports.adapterFor(target.platform);
  const tools = await ports.toolsFor(target.platform);
  let job = first;
  let waitedMs = 0;
  let isUncommitted = false;
  const commitStep = async (told: Step = { event: 'preparing' }) => {
    target = await commit(ports, target, told, { preparation: job.preparation });
    isUncommitted = false;
  };
  const note = async (preparation: Preparation) => {
    target = await commitNotes(ports, target, preparation);
  };
  for (;;) {
    if (ports.queue === 'publish' && adapter.sendsFile?.(job)) {
      await passOn(ports, target, job);
      return undefined;
    }
    let step: PrepareStep;
    try {
      step = await adapter.prepare({ ...job, note }, tools);
    } catch (error) {
      if (isUncommitted) await commitStep();
      throw error;
    }
    const { preparation } = step;
    // The step would have needed more time than this run has left.
    const isPutOff =
      step.state === 'continue' &&
      work.deadline - ports.now() < stepMs &&
      isDeepStrictEqual(preparation, job.preparation);
    job = { ...job, preparation, deadline: stepDeadline(ports, work) };
    if (step.state === 'ready') return { target, job };
    const remark = step.state === 'continue' ? step.remark : undefined;
    const told: Step = { event: 'preparing', ...(remark !== undefined && { reason: remark }) };
    const waitMs = step.state === 'waiting' ? step.waitSeconds * secondMs : 0;
    const nextMs = ports.now() + waitMs;
    waitedMs += waitMs;
    if (isPutOff || waitedMs > pollInPlaceMs || nextMs >= work.deadline) {
      const joinsDueTime = nextMs < dueMs && dueMs - nextMs < joinsDueTimeMs;
      await commitWake(ports, target, told, joinsDueTime ? dueMs : nextMs, {
        preparation,
        ...sendsFileNext(target, adapter.sendsFile?.(job)),
      });
      return undefined;
    }
    if (step.state === 'waiting') await ports.sleep(waitMs);
    else {
      waitedMs = 0;
      // After a crash, an upload continues from its last committed slice. A short wait has nothing worth a commit.
      if (step.isCheap && remark === undefined) isUncommitted = true;
      else await commitStep(told);
    }
  }
}

/** Leaves a target to the workers that send files: an earlier release has planned it, or its upload starts over. */
async function passOn(ports: WorkerPorts, target: Target, { preparation }: PublishJob): Promise<void> {
  // The absence of a preparation means that the content must still be checked.
  const known = target.preparation === undefined ? {} : { preparation };
  await commitWake(ports, target, { event: 'preparing' }, ports.now(), { ...known, sendsFile: true });
}

/** The change, if any, that says whether the next wake of a target is for sending a file. */
export function sendsFileNext({ sendsFile = false }: Target, isNext = false): TargetChanges {
  return isNext === sendsFile ? {} : { sendsFile: isNext || null };
}
