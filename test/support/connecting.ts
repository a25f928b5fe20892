import { randomUUID } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { DisconnectContext } from '../../lib/accounts/disconnect.ts';
import type { AccountsContext } from '../../lib/accounts/read.ts';
import type { Account } from '../../lib/accounts/schemas.ts';
import { Vault } from '../../lib/accounts/vault.ts';
import type { DataKeys } from '../../lib/aws/data-keys.ts';
import { beginConnection } from '../../lib/connections/begin.ts';
import { completeLogin } from '../../lib/connections/callback.ts';
import { confirmChoice, showChoice } from '../../lib/connections/choose.ts';
import { leaveForPlatform } from '../../lib/connections/introduce.ts';
import type { ConnectionOutcome } from '../../lib/connections/outcome.ts';
import type { LoginPorts, Visit } from '../../lib/connections/ports.ts';
import type { BeginConnectionBody } from '../../lib/connections/schemas.ts';
import type { StageFeatures } from '../../lib/platforms/contract/features.ts';
import type { Platform } from '../../lib/platforms/contract/names.ts';
import { countWaitingSteps } from '../../lib/posts/stored/chain-steps.ts';
import { createWorkspace } from '../../lib/workspaces/manage.ts';
import { actOf, anOperator } from './acts.ts';
import { type ScriptedAuthorization, scriptedAuthorization, unusedTools } from './authorization.ts';
import { memoryDataKeys } from './data-keys.ts';
import { createTestTable } from './table.ts';

/** Noon UTC. */
export const noon = Date.parse('2026-11-20T12:00:00.000Z');

/** A browser: keeps the secret that our pages give it, as a cookie. */
export interface TestBrowser {
  secret?: string | undefined;
}

type Options = Pick<BeginConnectionBody, 'redirectUrl' | 'externalId' | 'claim'> & {
  readonly workspaceId?: string | undefined;
};

/** Everything that connecting an account needs: a workspace, a scripted platform and a clock that tests move. */
export interface ConnectingFixture {
  readonly clock: { time: number };
  readonly workspaceId: string;
  readonly authorization: ScriptedAuthorization;
  readonly vault: Vault;
  /** The key service behind the vault. */
  readonly dataKeys: { generate: DataKeys['generate']; open: DataKeys['open'] };
  /** The browser that takes the steps below unless a test names another one. */
  readonly browser: TestBrowser;
  /** The messages that were reported to operators. */
  readonly reported: string[];
  /** The details of warnings. */
  readonly warned: Readonly<Record<string, unknown>>[];
  context(workspaceId?: string): AccountsContext & LoginPorts & Pick<DisconnectContext, 'countWaitingSteps'>;
  /** Stores a workspace with this name. @returns its id */
  addWorkspace(name: string): Promise<string>;
  begin(options?: Options): Promise<{ state: string; authUrl: string; expiresAt: string }>;
  /** Makes the request of a browser. */
  visit(state: string, browser?: TestBrowser, changes?: Partial<Visit>): Visit;
  /** The browser continues to the platform. */
  leave(state: string, browser?: TestBrowser): Promise<ConnectionOutcome>;
  /** The browser returns from the platform with a query. */
  comeBack(
    query: Record<string, string>,
    options?: { readonly platform?: string; readonly browser?: TestBrowser },
  ): Promise<ConnectionOutcome>;
  /** Begins an attempt, leaves for the platform and returns. @returns the state */
  arrive(options?: Options): Promise<string>;
  choose(state: string, ids: readonly string[], browser?: TestBrowser): Promise<ConnectionOutcome>;
  /** Begins, returns with a code, and confirms all accounts of the login. @returns the first one */
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
  const dataKeys = { ...memoryDataKeys() };
  const vault = new Vault(dataKeys, now);
  const reported: string[] = [];
  const warned: Readonly<Record<string, unknown>>[] = [];
  const addWorkspace = async (name: string) =>
    (await createWorkspace(anOperator(table, now(), 'workspace.create'), { name })).id;
  const ownWorkspaceId = await addWorkspace('Harbour Coffee');
  const browser: TestBrowser = {};
  const context = (workspaceId = ownWorkspaceId) => ({
    table,
    workspaceId,
    ...actOf(randomUUID(), 'account.connect'),
    cursorSecret: '',
    now: now(),
    publicBaseUrl: 'https://api.example',
    vault,
    stageFeatures: {} as StageFeatures,
    authorizationFor: (name: Platform) =>
      name === platform || name === 'instagram' ? authorization : undefined,
    toolsFor: async () => unusedTools(now),
    countWaitingSteps,
    report: (message: string) => reported.push(message),
    warn: (_message: string, details: Readonly<Record<string, unknown>>) => warned.push(details),
  });
  const keepSecret = (outcome: ConnectionOutcome, by: TestBrowser) => {
    if (outcome.kind === 'continue') by.secret = outcome.browserSecret;
    return outcome;
  };
  const fixture: ConnectingFixture = {
    clock,
    workspaceId: ownWorkspaceId,
    authorization,
    vault,
    dataKeys,
    browser,
    reported,
    warned,
    context,
    addWorkspace,
    begin: ({ workspaceId, ...body } = {}) => beginConnection(context(workspaceId), platform, body),
    visit: (state, by = browser, changes = {}) => ({
      state,
      platform,
      browserSecret: by.secret,
      isSameOrigin: true,
      ...changes,
    }),
    leave: async (state, by = browser) =>
      keepSecret(await leaveForPlatform(context(), fixture.visit(state, by)), by),
    comeBack: async (query, { platform: name = platform, browser: by = browser } = {}) =>
      keepSecret(
        await completeLogin(
          context(),
          { platform: name, browserSecret: by.secret },
          new URLSearchParams(query),
        ),
        by,
      ),
    arrive: async (options) => {
      const { state } = await fixture.begin(options);
      await fixture.leave(state);
      const outcome = await fixture.comeBack({ state, code: 'code-1' });
      if (outcome.kind !== 'continue') throw new Error(JSON.stringify(outcome));
      return state;
    },
    choose: (state, ids, by = browser) => confirmChoice(context(), fixture.visit(state, by), ids),
    connect: async (workspaceId) => {
      const state = await fixture.arrive({ workspaceId });
      const shown = await showChoice(context(), fixture.visit(state));
      if (shown.kind !== 'choose') throw new Error(JSON.stringify(shown));
      const ids = shown.candidates.map(({ platformAccountId }) => platformAccountId);
      const outcome = await fixture.choose(state, ids);
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
