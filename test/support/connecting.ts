import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Account } from '../../lib/accounts/schemas.ts';
import { Vault } from '../../lib/accounts/vault.ts';
import type { Context } from '../../lib/api-contract/context.ts';
import { beginConnection } from '../../lib/connections/begin.ts';
import { completeConnection } from '../../lib/connections/callback.ts';
import type { BrowserPorts } from '../../lib/connections/ports.ts';
import type { Platform } from '../../lib/platforms/contract/names.ts';
import { type ScriptedAuthorization, scriptedAuthorization, unusedTools } from './authorization.ts';
import { memoryDataKeys } from './data-keys.ts';
import { createTestTable } from './table.ts';

/** Noon UTC. */
export const noon = Date.parse('2026-11-20T12:00:00.000Z');

/** Everything that connecting an account needs: a workspace, a scripted platform and a clock that tests move. */
export interface ConnectingFixture {
  readonly clock: { time: number };
  readonly workspaceId: string;
  readonly authorization: ScriptedAuthorization;
  readonly vault: Vault;
  /** The messages that were reported to operators. */
  readonly reported: string[];
  context(workspaceId?: string): Context & BrowserPorts;
  begin(
    redirectUrl?: string,
    workspaceId?: string,
  ): Promise<{ state: string; authUrl: string; expiresAt: string }>;
  /** The browser returns from the platform with a query. */
  comeBack(query: Record<string, string>, platform?: string): ReturnType<typeof completeConnection>;
  /** Begins a connection and returns with a code. The login must connect an account directly. */
  connect(workspaceId?: string): Promise<Account>;
  /** All items of the table. */
  items(): Promise<Record<string, unknown>[]>;
  /** All items of the table, as text. */
  dump(): Promise<string>;
}

export const platform: Platform = 'youtube';

export async function openConnectingFixture(): Promise<ConnectingFixture> {
  const table = await createTestTable();
  const clock = { time: noon };
  const now = () => clock.time;
  const authorization = scriptedAuthorization();
  const vault = new Vault(memoryDataKeys(), now);
  const reported: string[] = [];
  const ownWorkspaceId: string = randomUUID();
  const context = (workspaceId = ownWorkspaceId) => ({
    table,
    workspaceId,
    keyId: randomUUID(),
    cursorSecret: '',
    now: now(),
    publicBaseUrl: 'https://api.example',
    vault,
    authorizationFor: (name: Platform) =>
      name === platform || name === 'instagram' ? authorization : undefined,
    toolsFor: async () => unusedTools(now),
    report: (message: string) => reported.push(message),
  });
  const fixture: ConnectingFixture = {
    clock,
    workspaceId: ownWorkspaceId,
    authorization,
    vault,
    reported,
    context,
    begin: (redirectUrl, workspaceId) => beginConnection(context(workspaceId), platform, { redirectUrl }),
    comeBack: (query, name = platform) => completeConnection(context(), name, new URLSearchParams(query)),
    connect: async (workspaceId) => {
      const { state } = await fixture.begin(undefined, workspaceId);
      const outcome = await fixture.comeBack({ state, code: 'code' });
      if (outcome.kind !== 'connected' || !outcome.accounts[0]) throw new Error(JSON.stringify(outcome));
      return outcome.accounts[0];
    },
    items: async () => {
      const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }));
      return Items;
    },
    dump: async () => JSON.stringify(await fixture.items()),
  };
  return fixture;
}
