import { toTimestamp } from '../kernel/clock.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import { absent, present, unconditionally } from '../table/condition.ts';
import {
  accountKey,
  connectedAccountKey,
  connectedLoginKey,
  type Key,
  loginPartition,
  platformAccountPartition,
  tokensKey,
} from '../table/keys.ts';
import { queryPage, queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { deletePart, putPart, type TransactionItems, transact, updatePart } from '../table/transaction.ts';
import { type Account, AccountState, accountLifeCycle, accountState } from './schemas.ts';
import { accountItem, findAccount } from './store.ts';
import { type NewTokens, newTokensUpdate } from './tokens/store.ts';

/**
 * Writes a connected account with its tokens: a new one, or a known one as if it had never been away.
 *
 * @throws ForbiddenMoveError for an account that is not as connecting leaves it
 */
export function connectionWrites(table: Table, account: Account, tokens: NewTokens): TransactionItems {
  const { workspaceId, id } = account;
  // Whatever was known of the account is replaced, in whichever state it was.
  for (const before of AccountState.options) {
    requireMove('account', accountLifeCycle, before, accountState(account));
  }
  return [
    putPart(table, accountItem(account), unconditionally),
    ...entries(account).map(({ key, kind }) =>
      putPart(table, { ...key, kind, workspaceId, accountId: id }, unconditionally),
    ),
    updatePart(table, tokensKey(workspaceId, id), newTokensUpdate(account, tokens)),
  ];
}

/**
 * Ends a connection: the tokens are gone, the account's record stays.
 *
 * @returns false if it was disconnected already
 */
export async function endConnection(table: Table, account: Account, now: number): Promise<boolean> {
  const { workspaceId, id } = account;
  requireMove('account', accountLifeCycle, accountState(account), 'disconnected');
  const outcome = await transact(table, [
    updatePart(table, accountKey(workspaceId, id), {
      set: { disconnectedAt: toTimestamp(now) },
      if: { pk: present, disconnectedAt: absent },
    }),
    deletePart(table, tokensKey(workspaceId, id), unconditionally),
    ...entries(account).map(({ key }) => deletePart(table, key, unconditionally)),
  ]);
  return outcome.committed;
}

/** By its login and by its id at the platform: what finds a connected account. */
function entries(account: Account): readonly { readonly key: Key; readonly kind: string }[] {
  const { loginId } = account;
  return [
    ...(loginId === undefined ? [] : [{ key: connectedLoginKey(account, loginId), kind: 'connectedLogin' }]),
    { key: connectedAccountKey(account), kind: 'connectedAccount' },
  ];
}

/**
 * Whether any workspace has a connection that goes by the account's authorization: one of the same account or, if a
 * login carries several, one of any account of that login.
 */
export async function isAuthorizationInUse(
  table: Table,
  { platform, platformAccountId, loginId }: Pick<Account, 'platform' | 'platformAccountId' | 'loginId'>,
): Promise<boolean> {
  if (loginId !== undefined) return isLoginInUse(table, platform, loginId);
  const partition = platformAccountPartition(platform, platformAccountId);
  return (await queryPage(table, { partition, limit: 1 })).items.length > 0;
}

/**
 * An account that came by another login since still has its entry under the first one, so the accounts themselves are
 * looked at; the first that goes by this login settles it.
 */
async function isLoginInUse(table: Table, platform: string, loginId: string): Promise<boolean> {
  for await (const page of queryPages(table, { partition: loginPartition(platform, loginId) })) {
    for (const { workspaceId, accountId } of page) {
      const account = await findAccount(table, String(workspaceId), String(accountId));
      if (account && !account.disconnectedAt && account.loginId === loginId) return true;
    }
  }
  return false;
}
