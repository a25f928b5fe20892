import type { Account } from '../accounts/schemas.ts';
import type { AtMostOncePorts } from './ports.ts';
import {
  decideFailure,
  type FailureDecision,
  isWaitedOut,
  type OnQuota,
  type RetryState,
} from './retry-policy.ts';

/** The work with the failed step: its earlier failures, and the account it acted for. */
export interface FailedWork {
  readonly retries: RetryState;
  readonly account: Account | undefined;
  readonly tokensItem: Record<string, unknown> | undefined;
  /** A description of Herald's work, such as `publishing a post`. The account shows it if the failure marks the account. */
  readonly activity: string;
  /** See {@link decideFailure}. */
  readonly onQuota?: OnQuota | undefined;
}

/**
 * Decides what to do about a failed step. If the platform refuses the token, it first requests a new one. The account is
 * marked as expired only if that fails too, or if the platform has refused new tokens for six hours.
 */
export async function judgeFailure(
  ports: AtMostOncePorts,
  { retries, account, tokensItem, activity, onQuota }: FailedWork,
  error: unknown,
): Promise<FailureDecision> {
  const decide = (failure: unknown) => decideFailure(failure, retries, ports.now(), ports.chance(), onQuota);
  let decision = decide(error);
  const isTokenRefused = decision.kind === 'fail' && decision.account === 'expired';
  if (account && isTokenRefused && !isWaitedOut(retries, ports.now())) {
    try {
      if (await ports.renewToken(account, tokensItem)) return { kind: 'retry', wakeMs: ports.now() };
    } catch (renewalError) {
      decision = decide(renewalError);
    }
  }
  if (account && decision.kind === 'fail' && decision.account) {
    await ports.markAccount(account, decision.account, `${decision.reason} [while ${activity}]`);
  }
  return decision;
}

/**
 * Marks an account as `ok` because a platform call for it has succeeded. Costs nothing if the account was `ok` when the work
 * began. Never throws: the call's outcome is already committed.
 */
export async function clearMark(ports: AtMostOncePorts, account: Account | undefined): Promise<void> {
  if (account === undefined || account.status === 'ok') return;
  try {
    await ports.clearMark(account);
  } catch (error) {
    ports.report('an account that works again could not be marked as ok', error);
  }
}
