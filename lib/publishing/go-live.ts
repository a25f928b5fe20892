import { reconcileDelayMs } from '../at-most-once/unknown-outcome.ts';
import { secondMs, toTimestamp } from '../kernel/clock.ts';
import type { LivePost, PublishJob } from '../platforms/contract/adapter.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { WorkerPorts } from './call-log.ts';
import { becomeLive } from './finish.ts';
import { type AccountWork, recordFailure } from './step-failure.ts';
import { commit, commitWake } from './transitions.ts';

/** Covers the longest go-live call and the commit after it. */
const goLiveLeaseMs = 90 * secondMs;

/**
 * The go-live call starts within this time of its intent or not at all: it must be over when the lease ends and another
 * worker may take over. Only a paused process exceeds this time.
 */
const latestCallStartMs = 15 * secondMs;

/** Commits the intent, makes the one irreversible call, and commits its outcome. */
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
  if (ports.now() > intentAt + latestCallStartMs) {
    const late = new PlatformError(
      'retry',
      'an error on our side: the request to publish would have been sent too late',
    );
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
    // After any other error, including our own, the outcome is unknown: only the platform can say.
    if (!(error instanceof PlatformError)) ports.report('the go-live call failed', error);
    const reason = error instanceof PlatformError ? error.message : 'an error on our side';
    const isRefused = error instanceof PlatformError && error.ifAbsent === 'rejected';
    const preparation = error instanceof PlatformError ? error.preparation : undefined;
    await commitWake(ports, target, { event: 'outcome unknown', reason }, ports.now() + reconcileDelayMs, {
      refusal: isRefused ? reason : null,
      ...(preparation && { preparation }),
    });
    return;
  }
  await becomeLive(ports, { ...work, target }, { ...job, intentAt }, live, ports.now());
}
