import type { Account } from '../accounts/schemas.ts';
import { judgeFailure } from '../at-most-once/judge-failure.ts';
import { countFailure, type FailureDecision } from '../at-most-once/retry-policy.ts';
import { secondMs } from '../kernel/clock.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import { LeaseLostError } from '../table/lease.ts';
import type { TargetChanges } from '../targets/store.ts';
import type { WorkerPorts } from './call-log.ts';
import type { Work } from './load-work.ts';
import { commitFailed, commitWake, type Step } from './transitions.ts';

/** A held target whose account exists. */
export interface AccountWork extends Work {
  readonly account: Account;
}

/** Decides what to do about a failed step: see {@link judgeFailure}. @throws LeaseLostError if that is the error */
export async function judge(ports: WorkerPorts, work: AccountWork, error: unknown): Promise<FailureDecision> {
  if (error instanceof LeaseLostError) throw error;
  if (!(error instanceof PlatformError)) ports.report('a publishing step failed', error);
  return judgeFailure(ports, { ...work, retries: work.target }, error);
}

/**
 * Records a failed step of a target that is certainly not live: schedules another try, or fails the target.
 *
 * @param changes further changes to commit with it
 */
export async function recordFailure(
  ports: WorkerPorts,
  work: AccountWork,
  error: unknown,
  changes: TargetChanges = {},
): Promise<void> {
  const decision = await judge(ports, work, error);
  if (decision.kind === 'fail') {
    await commitFailed(ports, work.target, decision.reason, changes);
    return;
  }
  await commitWake(ports, work.target, tryingAgain(error), decision.wakeMs, {
    ...changes,
    ...countFailure(work.target, ports.now()),
    ...(work.target.status === 'publishing' && { status: 'scheduled' }),
  });
}

/** The timeline entry of a step that will be tried again after this error. */
export const tryingAgain = (error: unknown): Step => ({
  event: 'trying again',
  reason: error instanceof PlatformError ? error.message : 'an error on our side',
});

/** The longest wait that costs less inside the worker than as another pass through the queue. */
export const waitInPlaceMs = 3 * secondMs;

/** Sleeps until the moment, in epoch milliseconds. */
export async function waitUntil(ports: WorkerPorts, momentMs: number): Promise<void> {
  for (let leftMs = momentMs - ports.now(); leftMs > 0; leftMs = momentMs - ports.now()) {
    await ports.sleep(leftMs);
  }
}
