import { firstQuestionMs } from '../at-most-once/unknown-outcome.ts';
import { secondMs, toTimestamp } from '../kernel/clock.ts';
import type { LivePost, PublishJob } from '../platforms/contract/adapter.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { WorkerPorts } from './call-log.ts';
import { becomeLive } from './finish.ts';
import { type AccountWork, recordFailure } from './step-failure.ts';
import { commit, commitWake } from './transitions.ts';

/** The longest last call, and its commit. */
const goLiveLeaseMs = 90 * secondMs;

/**
 * The call is made within this time of its intent or not at all: who takes over when the lease ends counts on the call
 * being over by then. Only a process that stood still takes longer.
 */
const callWithinMs = 15 * secondMs;

/** Writes the intent, makes the one call that cannot be taken back, and notes what came of it. */
export async function goLive(ports: WorkerPorts, work: AccountWork, job: PublishJob): Promise<void> {
  const adapter = await ports.adapterFor(work.target.platform);
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
    await commitWake(ports, target, { event: 'outcome unknown', reason }, ports.now() + firstQuestionMs, {
      refusal: isRefused ? reason : null,
      ...(left && { preparation: left }),
    });
    return;
  }
  await becomeLive(ports, { ...work, target }, { ...job, intentAt }, live, ports.now());
}
