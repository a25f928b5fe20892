import type { Account } from './schemas.ts';

/** Returns why this account cannot publish now; `undefined` if it can. */
export function accountProblem(account: Account | undefined): string | undefined {
  if (!account || account.disconnectedAt) return 'the account is disconnected: connect it again';
  if (account.status === 'ok') return undefined;
  const reason = account.statusMessage ?? 'no reason was given';
  return account.status === 'expired'
    ? `the account's authorization has expired (${reason}): connect it again`
    : `the platform has restricted the account (${reason})`;
}
