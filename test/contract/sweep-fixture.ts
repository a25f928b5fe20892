import { randomUUID } from 'node:crypto';
import { findAccount } from '../../lib/accounts/store.ts';
import { sweepAccounts } from '../../lib/accounts/sweep.ts';
import { AccountTokens } from '../../lib/accounts/tokens/access-tokens.ts';
import { Vault } from '../../lib/accounts/vault.ts';
import { saveAccounts } from '../../lib/connections/save-accounts.ts';
import { minuteMs } from '../../lib/kernel/clock.ts';
import type { ConnectableAccount } from '../../lib/platforms/contract/authorization.ts';
import type { Table } from '../../lib/table/table.ts';
import { memoryDataKeys } from '../support/data-keys.ts';
import type { Fixture } from './fixture.ts';
import type { PlatformRow } from './rows.ts';

/** A row's account as the service stores it, and the sweep that keeps it connected. */
export async function connected(
  row: PlatformRow,
  { clock, authorization, tools, ...fixture }: Fixture,
  table: Table,
  account: ConnectableAccount = fixture.account,
) {
  const workspaceId = randomUUID();
  const ports = {
    table,
    vault: new Vault(memoryDataKeys(), clock.now),
    publicBaseUrl: 'https://api.example',
    authorizationFor: (platform: string) => (platform === row.platform ? authorization : undefined),
    toolsFor: async () => tools,
    uniqueId: randomUUID,
    sleep: async (milliseconds: number) => {
      clock.time += milliseconds;
    },
    report: () => {},
  };
  const tokens = new AccountTokens({ ...ports, now: clock.now });
  const [saved] =
    (await saveAccounts({ ...ports, now: clock.now() }, { workspaceId, platform: row.platform }, [
      account,
    ])) ?? [];
  if (!saved) throw new Error('not saved');
  return {
    saved,
    sweep: () => sweepAccounts({ ...ports, now: clock.now, tokens }, clock.now() + 5 * minuteMs),
    current: () => findAccount(table, workspaceId, saved.id),
    token: () => tokens.accessToken(saved),
  };
}
