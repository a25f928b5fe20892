import type { OutcomeCode } from '../targets/outcome-codes.ts';
import type { Account } from './schemas.ts';

/**
 * Returns why nothing can be tried for this account now; `undefined` if something can. An account that the platform has
 * restricted is still tried: the restriction may have ended, and only a call shows that.
 */
export function accountProblem(account: Account | undefined): string | undefined {
  if (!account || account.disconnectedAt) return 'the account is disconnected: connect it again';
  if (account.status !== 'expired') return undefined;
  const reason = account.statusMessage ?? 'no reason was given';
  return `the account's authorization has expired (${reason}): connect it again`;
}

/** Returns the code of {@link accountProblem}, for an account that has a problem. */
export function accountProblemCode(account: Account | undefined): OutcomeCode {
  return !account || account.disconnectedAt ? 'account_disconnected' : 'account_expired';
}
