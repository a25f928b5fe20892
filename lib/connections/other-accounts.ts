import { accountsOfLogin } from '../accounts/connection-store.ts';
import type { Account } from '../accounts/schemas.ts';
import { markAccount } from '../accounts/store.ts';
import { findTokens, openTokens } from '../accounts/tokens/store.ts';
import type { ConnectableAccount } from '../platforms/contract/authorization.ts';
import { isAboutAccount, PlatformError } from '../platforms/contract/errors.ts';
import type { Table } from '../table/table.ts';
import type { LoginPorts } from './ports.ts';
import type { Connection } from './schemas.ts';

/** The most accounts that one login checks. The daily check finds the rest. */
const mostChecks = 50;

/** The accounts that a login lists. */
type Listed = readonly Pick<ConnectableAccount, 'platformAccountId' | 'loginId'>[];

/**
 * Checks the connected accounts of the workspace that belong to the person who has just logged in, and that the login does not
 * list: people can allow fewer accounts than before, which ends the platform's permission for the others. Marks those whose tokens
 * the platform now refuses. The list alone marks nothing, because it may be incomplete.
 *
 * Can be repeated. Never throws: the daily check of all tokens finds what this one does not.
 */
export async function checkOtherAccounts(
  ports: LoginPorts,
  { workspaceId, platform, as }: Pick<Connection, 'workspaceId' | 'platform' | 'as'>,
  listed: Listed,
): Promise<void> {
  const { table, vault, now, report } = ports;
  const check = ports.authorizationFor(platform, as)?.check;
  if (!check) return;
  const checkOne = async (account: Account): Promise<void> => {
    const stored = await findTokens(table, account);
    if (!stored) return;
    const tokens = await openTokens(vault, account, stored.ciphertext);
    try {
      await check(tokens, await ports.toolsFor(platform));
    } catch (error) {
      if (!(error instanceof PlatformError && isAboutAccount(error))) throw error;
      const status = error.remedy === 'reauthorise' ? 'expired' : 'error';
      const reason = `${error.message} [after a login that does not include this account]`;
      await markAccount(table, account, status, reason, now);
    }
  };
  const others = await unlistedAccounts(table, { workspaceId, platform }, listed).catch((error: unknown) => {
    report('the other accounts of a login were not found', error);
    return [];
  });
  const due = others.filter(({ status }) => status !== 'expired').slice(0, mostChecks);
  await Promise.all(
    due.map((account) =>
      checkOne(account).catch((error: unknown) =>
        report(`the ${platform} account ${account.id} was not checked after a login`, error),
      ),
    ),
  );
}

/** Returns the accounts of the same person in the workspace that cannot be used any more and that the login does not list. */
export async function lostAccounts(
  table: Table,
  connection: Pick<Connection, 'workspaceId' | 'platform'>,
  listed: Listed,
): Promise<Account[]> {
  const others = await unlistedAccounts(table, connection, listed);
  return others.filter(({ status }) => status === 'expired');
}

async function unlistedAccounts(
  table: Table,
  { workspaceId, platform }: Pick<Connection, 'workspaceId' | 'platform'>,
  listed: Listed,
): Promise<Account[]> {
  const loginId = listed[0]?.loginId;
  if (loginId === undefined) return [];
  const ids = new Set(listed.map(({ platformAccountId }) => platformAccountId));
  const known = await accountsOfLogin(table, { workspaceId, platform, loginId });
  return known.filter(({ platformAccountId }) => !ids.has(platformAccountId));
}
