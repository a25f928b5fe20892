import type { Account } from '../accounts/schemas.ts';
import { judgeFailure } from '../at-most-once/judge-failure.ts';
import {
  countFailure,
  type FailureDecision,
  type OnQuota,
  waitForLimit,
} from '../at-most-once/retry-policy.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { isAboutAccount, PlatformError } from '../platforms/contract/errors.ts';
import { LeaseLostError } from '../table/lease.ts';
import { codeOf, type Problem, quoteOf } from '../targets/problem.ts';
import type { Target } from '../targets/schemas.ts';
import type { TargetChanges } from '../targets/store.ts';
import type { WorkerPorts } from './call-log.ts';
import { commitFailed, commitWake, type Step } from './transitions.ts';
import type { Work } from './work.ts';

/** A held target whose account exists. */
export interface AccountWork extends Work {
  readonly account: Account;
}

/**
 * Decides what to do about a failed step: see {@link judgeFailure}.
 *
 * @param onQuota whether the step may wait for a daily limit to end; absent if it may not, and nothing is lost by that
 * @throws LeaseLostError if that is the error
 */
export async function judge(
  ports: WorkerPorts,
  work: AccountWork,
  error: unknown,
  onQuota?: OnQuota,
): Promise<FailureDecision> {
  if (error instanceof LeaseLostError) throw error;
  if (!(error instanceof PlatformError)) ports.report('a publishing step failed', error);
  const activity = 'publishing a post';
  return judgeFailure(ports, { ...work, retries: work.target, activity, onQuota }, error);
}

/**
 * Records a failed step of a target, or of the next part of its thread, that is certainly not live: schedules another try, or fails
 * the target.
 *
 * @param changes further changes to commit with it
 */
export async function recordFailure(
  ports: WorkerPorts,
  work: AccountWork,
  error: unknown,
  changes: TargetChanges = {},
): Promise<void> {
  const { target, post } = work;
  const decision = await judge(ports, work, error, post.onQuota ?? 'wait');
  if (decision.kind === 'fail') {
    await commitFailed(ports, target, failureProblem(error, decision), changes);
    return;
  }
  await commitWake(ports, target, tryingAgain(error), decision.wakeMs, {
    ...changes,
    ...afterRetry(ports, target, error, decision),
    ...toTryAgain(target),
  });
}

/** Returns the change of status of a target whose last call certainly had no effect. A thread that has begun stays `publishing`. */
export const toTryAgain = ({ status, publishedAt }: Target): TargetChanges =>
  status === 'publishing' && publishedAt === undefined ? { status: 'scheduled' } : {};

/** Returns the problem of a target that fails after this error, of a step that is not tried again. */
export function failureProblem(
  error: unknown,
  { reason, account }: Extract<FailureDecision, { kind: 'fail' }>,
): Problem {
  // A token that was refused counts as expired once it could not be renewed, with another error.
  const ofAccount = account === 'expired' ? 'account_expired' : 'account_restricted';
  return { code: account ? ofAccount : codeOf(error), text: reason, platformMessage: quoteOf(error) };
}

/**
 * The changes of a target whose failed step is tried again. Until then, its `error` says why; while it waits for a limit of
 * the platform, also until when.
 */
export function afterRetry(
  { now }: Pick<WorkerPorts, 'now'>,
  target: Target,
  error: unknown,
  { wakeMs, limitEndsMs }: Extract<FailureDecision, { kind: 'retry' }>,
): TargetChanges {
  const reason = reasonOf(error);
  const known = { platformMessage: quoteOf(error), retryMs: wakeMs };
  if (limitEndsMs !== undefined) {
    const text = `waiting for a limit of the platform, until about ${toTimestamp(limitEndsMs)}: ${reason}`;
    const problem = { code: 'quota_exhausted', text, ...known } as const;
    return { ...waitForLimit(target, now(), limitEndsMs), problem };
  }
  // A token that was refused has been renewed, or will be.
  const code = isAboutAccount(error) ? 'platform_unavailable' : codeOf(error);
  const problem = wakeMs <= now() ? null : { code, text: `trying again: ${reason}`, ...known };
  return { ...countFailure(target, now()), problem };
}

/** The timeline entry of a step that will be tried again after this error. */
export const tryingAgain = (error: unknown): Step => ({
  event: 'trying again',
  reason: reasonOf(error),
});

const reasonOf = (error: unknown): string =>
  error instanceof PlatformError ? error.message : 'an error on our side';

/** Sleeps until the moment, in epoch milliseconds. */
export async function waitUntil(ports: WorkerPorts, momentMs: number): Promise<void> {
  for (let leftMs = momentMs - ports.now(); leftMs > 0; leftMs = momentMs - ports.now()) {
    await ports.sleep(leftMs);
  }
}
