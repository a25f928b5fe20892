import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { connectionWrites } from '../../lib/accounts/connection-store.ts';
import type { Account } from '../../lib/accounts/schemas.ts';
import { sealTokens } from '../../lib/accounts/tokens/store.ts';
import type { Vault } from '../../lib/accounts/vault.ts';
import { dayMs, toTimestamp } from '../../lib/kernel/clock.ts';
import type { Table } from '../../lib/table/table.ts';
import { transact } from '../../lib/table/transaction.ts';
import type { SimulatedPlatformName } from './platform.ts';
import type { Random } from './random.ts';

/**
 * Draws the accounts of a new workspace. The workspace's id differs in every run, so that runs can share a table.
 * Everything that could change the order of events comes from the seed.
 */
export function drawAccounts(
  random: Random,
  platforms: readonly SimulatedPlatformName[],
  connectedMs: number,
): Account[] {
  const workspaceId = randomUUID();
  return platforms.map((platform, index) => {
    const id = v7({ msecs: connectedMs + index, random: random.bytes() });
    return {
      id,
      workspaceId,
      platform,
      platformAccountId: `${platform} ${id}`,
      username: null,
      displayName: null,
      avatarUrl: null,
      status: 'ok',
      statusMessage: null,
      meta: {},
      connectedAt: toTimestamp(connectedMs),
    };
  });
}

/** Stores the accounts, each with a token, in one transaction. */
export async function connectAll(table: Table, accounts: readonly Account[], vault: Vault): Promise<void> {
  const writes = await Promise.all(
    accounts.map(async (account) => {
      const set = {
        accessToken: `token of ${account.id}`,
        refreshToken: 'refresh',
        obtainedAt: toTimestamp(Date.parse(account.connectedAt) - dayMs),
        scopes: [],
      };
      return connectionWrites(table, account, { ciphertext: await sealTokens(vault, account, set), set });
    }),
  );
  const outcome = await transact(table, writes.flat());
  if (!outcome.committed) throw new Error('the accounts were not stored');
}
