import { connectionWrites } from '../accounts/connection-store.ts';
import type { Account } from '../accounts/schemas.ts';
import { authorizationEnd, renewalDueMs } from '../accounts/tokens/renewal-time.ts';
import { sealTokens } from '../accounts/tokens/store.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { derivedId } from '../kernel/ids.ts';
import type { ConnectableAccount } from '../platforms/contract/authorization.ts';
import { loginPartition } from '../table/keys.ts';
import { ownedNamePart } from '../table/owned-names.ts';
import { type TransactionItems, transact } from '../table/transaction.ts';
import type { SavingPorts } from './ports.ts';
import type { Connection } from './schemas.ts';

/**
 * The maximum number of accounts per save. A transaction allows 100 writes, and an account needs up to four. Four remain: one is
 * for the attempt, one for the audit log, and one for the name of the login that carries all of the accounts.
 */
export const maxAccountsPerSave = 24;

/** The writes that end an attempt in the same transaction as the accounts that it connects. */
export interface Alongside {
  readonly ending: TransactionItems;
  /** The entry of the audit log, which is last in the transaction. */
  readonly audit: TransactionItems;
}

/**
 * Connects accounts, all or none. The steps at the platform run first, so a stored account is always complete.
 *
 * The same account in the same workspace always gets the same id, so connecting it again restores it.
 *
 * @param alongside returns the writes that end the attempt in the same transaction, from the accounts' ids
 * @returns `undefined` if the condition of one of them failed
 * @throws PlatformError if a step at the platform fails
 */
export async function saveAccounts(
  ports: SavingPorts,
  {
    workspaceId,
    platform,
    as,
    externalId,
  }: Pick<Connection, 'workspaceId' | 'platform' | 'as' | 'externalId'>,
  connectable: readonly ConnectableAccount[],
  alongside: (accountIds: readonly string[]) => Alongside = () => ({ ending: [], audit: [] }),
): Promise<Account[] | undefined> {
  const { table, vault, now } = ports;
  const authorization = ports.authorizationFor(platform, as);
  if (!authorization) throw new Error(`${platform} has no authorization flow`);
  if (authorization.afterConnect) {
    const tools = await ports.toolsFor(platform);
    await Promise.all(connectable.map((account) => authorization.afterConnect?.(account, tools)));
  }
  const { renewal } = authorization;
  const connections = await Promise.all(
    connectable.map(async ({ tokens, ...profile }) => {
      const reconnectBy = authorizationEnd(tokens, renewal);
      const account: Account = {
        ...profile,
        id: derivedId(workspaceId, platform, profile.platformAccountId),
        workspaceId,
        platform,
        status: 'ok',
        statusMessage: null,
        scopes: [...tokens.scopes],
        connectedAt: toTimestamp(now),
        ...(externalId !== undefined && { externalId }),
        ...(reconnectBy !== undefined && { reconnectBy }),
      };
      const ciphertext = await sealTokens(vault, account, tokens);
      const dueMs = renewalDueMs(account.id, tokens, renewal);
      return { account, tokens: { ciphertext, set: tokens, dueMs } };
    }),
  );
  const { ending, audit } = alongside(connections.map(({ account: { id } }) => id));
  const outcome = await transact(table, [
    ...ending,
    ...connections.flatMap(({ account, tokens }) => connectionWrites(table, account, tokens)),
    ...loginsOf(connections.map(({ account }) => account)).map((partition) =>
      ownedNamePart(table, workspaceId, partition),
    ),
    ...audit,
  ]);
  return outcome.committed ? connections.map(({ account }) => account) : undefined;
}

/**
 * Returns the logins of all accounts. An account that is later connected through another login keeps its entry under the first
 * one, so all are noted.
 */
function loginsOf(accounts: readonly Account[]): string[] {
  const partitions = accounts.flatMap(({ platform, loginId }) =>
    loginId === undefined ? [] : [loginPartition(platform, loginId)],
  );
  return [...new Set(partitions)];
}
