import type { Account } from '../accounts/schemas.ts';
import { decideFailure, type FailureDecision, isWaitedOut } from '../at-most-once/retry-policy.ts';
import { secondMs, toTimestamp } from '../kernel/clock.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import type { Target } from '../targets/schemas.ts';
import { LeaseLostError } from '../targets/store.ts';
import type { WorkerPorts } from './call-log.ts';
import type { Work } from './load-work.ts';
import { commitFailed, commitWake, type Step } from './transitions.ts';

/** A target whose account is known. */
export interface AccountWork extends Work {
  readonly account: Account;
}

/**
 * What is to be done about a failed step. Where the platform refuses the token, a new one is asked for first: only
 * when that fails has the account's authorization expired, or where new ones have been refused for hours as well.
 */
export async function judge(ports: WorkerPorts, work: AccountWork, error: unknown): Promise<FailureDecision> {
  if (error instanceof LeaseLostError) throw error;
  if (!(error instanceof PlatformError)) ports.report('a publishing step failed', error);
  const decide = (failure: unknown) => decideFailure(failure, work.target, ports.now(), ports.chance());
  let decision = decide(error);
  const isRefused = decision.kind === 'fail' && decision.account === 'expired';
  if (isRefused && !isWaitedOut(work.target, ports.now())) {
    try {
      const isRenewed = await ports.renewToken(work.account, work.tokensItem);
      if (isRenewed) return { kind: 'retry', wakeMs: ports.now() };
    } catch (renewalError) {
      decision = decide(renewalError);
    }
  }
  if (decision.kind === 'fail' && decision.account) {
    await ports.markAccount(work.account, decision.account, decision.reason);
  }
  return decision;
}

/** Records a failed step of a target of which certainly nothing is live: it waits for another try, or has failed. */
export async function recordFailure(ports: WorkerPorts, work: AccountWork, error: unknown): Promise<void> {
  const decision = await judge(ports, work, error);
  if (decision.kind === 'fail') {
    await commitFailed(ports, work.target, decision.reason);
    return;
  }
  await commitWake(ports, work.target, tryingAgain(error), decision.wakeMs, {
    ...countFailure(work.target, ports.now()),
    ...(work.target.status === 'publishing' && { status: 'scheduled', intentAt: null }),
  });
}

export const tryingAgain = (error: unknown): Step => ({
  event: 'trying again',
  reason: error instanceof PlatformError ? error.message : 'an error on our side',
});

export function countFailure(target: Target, now: number) {
  return { failures: target.failures + 1, firstFailureAt: target.firstFailureAt ?? toTimestamp(now) };
}

/** A wait of a few seconds costs less in place than through the queue, a longer one more. */
export const waitInPlaceMs = 3 * secondMs;

export async function waitUntil(ports: WorkerPorts, momentMs: number): Promise<void> {
  for (let leftMs = momentMs - ports.now(); leftMs > 0; leftMs = momentMs - ports.now()) {
    await ports.sleep(leftMs);
  }
}
