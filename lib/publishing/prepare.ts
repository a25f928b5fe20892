import { secondMs } from '../kernel/clock.ts';
import type { PublishJob } from '../platforms/contract/adapter.ts';
import type { Target } from '../targets/schemas.ts';
import type { WorkerPorts } from './call-log.ts';
import { stepDeadline } from './load-work.ts';
import { type AccountWork, waitInPlaceMs } from './step-failure.ts';
import { commit, commitWake } from './transitions.ts';

/** A look that falls within this time before the due moment is taken at that moment: one worker fewer is woken. */
const lastLookMs = 90 * secondMs;

/** A target of which nothing is left but the last call. */
export interface Prepared {
  readonly target: Target;
  readonly job: PublishJob;
}

/**
 * Takes the adapter's steps, each committed before the next relies on it.
 *
 * @returns `undefined` if the rest was left to the next wake
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
