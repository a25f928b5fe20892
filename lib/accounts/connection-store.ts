import { toTimestamp } from '../kernel/clock.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import { repairTaskItem } from '../overdue/repair-tasks.ts';
import { batchGet } from '../table/batch-get.ts';
import { absent, unconditionally } from '../table/condition.ts';
import {
  accountKey,
  connectedAccountKey,
  connectedLoginKey,
  type Key,
  loginPartition,
  platformAccountPartition,
  tokensKey,
} from '../table/keys.ts';
import { queryAll, queryPage, queryPages } from '../table/query.ts';
import type { Table } from '../table/table.ts';
import { deletePart, putPart, type TransactionItems, transact, updatePart } from '../table/transaction.ts';
import { removed, removingUndefined } from '../table/update.ts';
import { firstNoticeKeys } from './notice-times.ts';
import { Account, AccountState, accountLifeCycle, accountState } from './schemas.ts';
import { accountFromItem, accountItem, findAccount } from './store.ts';
import { type NewTokens, newTokensUpdate } from './tokens/store.ts';

/** The attributes that connecting an account sets, or removes. What people have set for the account stays. */
const connectedFields = [...Object.keys(Account.shape), 'kind', 'dueShard'].filter(
  (name) => name !== 'defaultOptions',
);

/**
 * Makes the writes that store a connected account and its tokens. A known account is overwritten as if it were new, except for
 * its default options.
 *
 * @throws ForbiddenMoveError if the account's status is not the one that connecting sets
 */
export function connectionWrites(table: Table, account: Account, tokens: NewTokens): TransactionItems {
  const { workspaceId, id } = account;
  // The write replaces any stored record, so every state is a possible predecessor.
  for (const before of AccountState.options) {
    requireMove('account', accountLifeCycle, before, accountState(account));
  }
  const item: Record<string, unknown> = { ...accountItem(account), ...firstNoticeKeys(account) };
  const set = removingUndefined(Object.fromEntries(connectedFields.map((name) => [name, item[name]])));
  return [
    updatePart(table, accountKey(workspaceId, id), { set, if: unconditionally }),
    ...entries(account).map(({ key, kind }) =>
      putPart(table, { ...key, kind, workspaceId, accountId: id }, unconditionally),
    ),
    updatePart(table, tokensKey(workspaceId, id), newTokensUpdate(account, tokens)),
  ];
}

/**
 * Ends a connection: deletes the tokens and erases the account's profile. The record itself stays, so that a post's
 * destination still names an account that existed.
 *
 * @param now epoch milliseconds
 * @param more further writes, such as the entry of the audit log if a client asked for it
 * @returns false if the account was already disconnected
 */
export async function endConnection(
  table: Table,
  account: Account,
  now: number,
  more: TransactionItems = [],
): Promise<boolean> {
  const { workspaceId, id } = account;
  requireMove('account', accountLifeCycle, accountState(account), 'disconnected');
  const outcome = await transact(table, [
    updatePart(table, accountKey(workspaceId, id), {
      set: { disconnectedAt: toTimestamp(now), dueShard: removed, dueAt: removed, ...erasedProfile },
      if: { connectedAt: account.connectedAt, disconnectedAt: absent },
    }),
    deletePart(table, tokensKey(workspaceId, id), unconditionally),
    ...entryDeletions(table, account),
    ...more,
  ]);
  return outcome.committed;
}

/** Returns the part of a transaction that has the sweep delete the numbers of an account that is disconnected now. */
export function forgettingNumbers(
  table: Pick<Table, 'name'>,
  { workspaceId, id: accountId }: Pick<Account, 'workspaceId' | 'id'>,
  now: number,
): TransactionItems[number] {
  const task = { kind: 'forget numbers', workspaceId, accountId, until: toTimestamp(now) } as const;
  return putPart(table, repairTaskItem(task, now, 0), unconditionally);
}

/** Returns the parts of a transaction that delete the items for finding an account by its login and by its platform id. */
export function entryDeletions(table: Pick<Table, 'name'>, account: Account): TransactionItems {
  return entries(account).map(({ key }) => deletePart(table, key, unconditionally));
}

/** Returns the items for finding a connected account by its login and by its platform id. */
function entries(account: Account): readonly { readonly key: Key; readonly kind: string }[] {
  const { loginId } = account;
  return [
    ...(loginId === undefined ? [] : [{ key: connectedLoginKey(account, loginId), kind: 'connectedLogin' }]),
    { key: connectedAccountKey(account), kind: 'connectedAccount' },
  ];
}

/**
 * Returns true if any workspace still has a connection that uses this account's authorization: a connection of the same account
 * or, if one login carries several accounts, of any account of that login.
 *
 * @param exceptWorkspaceId a workspace to ignore
 */
export async function isAuthorizationInUse(
  table: Table,
  { platform, platformAccountId, loginId }: Pick<Account, 'platform' | 'platformAccountId' | 'loginId'>,
  exceptWorkspaceId?: string,
): Promise<boolean> {
  if (loginId !== undefined) return isLoginInUse(table, platform, loginId, exceptWorkspaceId);
  const partition = platformAccountPartition(platform, platformAccountId);
  // An account has one entry per workspace.
  const { items } = await queryPage(table, { partition, limit: 2 });
  return items.some(({ workspaceId }) => workspaceId !== exceptWorkspaceId);
}

/** Returns the other connected accounts of a workspace that use the same login as this one. */
export async function otherAccountsOfLogin(table: Table, account: Account): Promise<Account[]> {
  const { workspaceId, platform, id, loginId } = account;
  if (loginId === undefined) return [];
  const ofLogin = await accountsOfLogin(table, { workspaceId, platform, loginId });
  return ofLogin.filter((other) => other.id !== id);
}

/** Returns the connected accounts of a workspace that use this login. */
export async function accountsOfLogin(
  table: Table,
  {
    workspaceId,
    platform,
    loginId,
  }: Pick<Account, 'workspaceId' | 'platform'> & { readonly loginId: string },
): Promise<Account[]> {
  const entries = await queryAll(table, { partition: loginPartition(platform, loginId) });
  const keys = entries
    .filter((entry) => entry['workspaceId'] === workspaceId)
    .map(({ accountId }) => accountKey(workspaceId, String(accountId)));
  const found = await batchGet(table, keys);
  return keys
    .map((key) => found.get(key))
    .filter((item) => item !== undefined)
    .map(accountFromItem)
    .filter((other) => other.disconnectedAt === undefined && other.loginId === loginId);
}

/**
 * Returns true if a connected account still uses this login. Reads the accounts themselves, because an account that was later
 * connected through another login keeps its entry under the first one. Stops at the first match.
 */
async function isLoginInUse(
  table: Table,
  platform: string,
  loginId: string,
  exceptWorkspaceId: string | undefined,
): Promise<boolean> {
  for await (const page of queryPages(table, { partition: loginPartition(platform, loginId) })) {
    for (const { workspaceId, accountId } of page) {
      if (workspaceId === exceptWorkspaceId) continue;
      const account = await findAccount(table, String(workspaceId), String(accountId));
      if (account && !account.disconnectedAt && account.loginId === loginId) return true;
    }
  }
  return false;
}

/** Placeholder for an erased platform id. No platform has such an id. */
const erasedPlatformId = 'erased';

/** The changes to a stored account that erase the platform's data about it and its owner, and the client's own id. */
export const erasedProfile = {
  platformAccountId: erasedPlatformId,
  loginId: removed,
  username: null,
  displayName: null,
  avatarUrl: null,
  meta: '{}',
  defaultOptions: removed,
  scopes: removed,
  externalId: removed,
} as const;
