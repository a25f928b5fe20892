import { connectionWrites } from '../accounts/connection-store.ts';
import type { Account } from '../accounts/schemas.ts';
import { isRenewable, renewalDueMs } from '../accounts/tokens/renewal-time.ts';
import { sealTokens } from '../accounts/tokens/store.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { derivedId } from '../kernel/ids.ts';
import type { ConnectableAccount } from '../platforms/contract/authorization.ts';
import { type TransactionItems, transact } from '../table/transaction.ts';
import type { BrowserPorts } from './ports.ts';
import type { Connection } from './schemas.ts';

/** A transaction takes 100 writes; an account needs up to four. */
export const mostSavedAtOnce = 24;

/**
 * Connects accounts: all of them or, where the platform or a condition says no, none. What has to be done at the
 * platform is done first, so that an account that is stored is whole.
 *
 * The same account of the same workspace has the same id for ever: connecting it again brings it back.
 *
 * @param alongside a write that belongs to the same transaction
 * @returns `undefined` where the condition of that write failed
 * @throws PlatformError from the platform's own steps
 */
export async function saveAccounts(
  ports: BrowserPorts,
  { workspaceId, platform }: Pick<Connection, 'workspaceId' | 'platform'>,
  connectable: readonly ConnectableAccount[],
  alongside?: TransactionItems[number],
): Promise<Account[] | undefined> {
  const { table, vault, now } = ports;
  const authorization = ports.authorizationFor(platform);
  if (!authorization) throw new Error(`${platform} has no authorization flow`);
  if (authorization.afterConnect) {
    const tools = await ports.toolsFor(platform);
    await Promise.all(connectable.map((account) => authorization.afterConnect?.(account, tools)));
  }
  const { renewal } = authorization;
  const connections = await Promise.all(
    connectable.map(async ({ tokens, ...profile }) => {
      const account: Account = {
        ...profile,
        id: derivedId(workspaceId, platform, profile.platformAccountId),
        workspaceId,
        platform,
        status: 'ok',
        statusMessage: null,
        connectedAt: toTimestamp(now),
        ...(tokens.expiresAt !== undefined &&
          !isRenewable(tokens, renewal) && { reconnectBy: tokens.expiresAt }),
      };
      const ciphertext = await sealTokens(vault, account, tokens);
      const dueMs = renewalDueMs(account.id, tokens, renewal);
      return { account, tokens: { ciphertext, set: tokens, dueMs } };
    }),
  );
  const outcome = await transact(table, [
    ...(alongside ? [alongside] : []),
    ...connections.flatMap(({ account, tokens }) => connectionWrites(table, account, tokens)),
  ]);
  return outcome.committed ? connections.map(({ account }) => account) : undefined;
}
