/** The demo data of the local cloud: two workspaces, each with an API key and an account on every platform. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { DataDirectory } from '@herald/local-cloud/data-directory.ts';
import type { LocalCloud } from '@herald/local-cloud/types.ts';
import * as z from 'zod';
import type { Table } from '../../lib/table/table.ts';
import { createWorkspace } from '../../lib/workspaces/manage.ts';
import { createKey } from '../../lib/workspaces/manage-keys.ts';
import { listWorkspaces } from '../../lib/workspaces/store.ts';
import { operatorAct } from '../admin/command.ts';
import { addDemoPeople } from './demo-people.ts';
import { demoUsername, demoWorkspaceNames } from './platforms.ts';
import { offeredAccounts, redirectOf, signIn, Visitor } from './visitor.ts';

export interface DemoWorkspace {
  readonly id: string;
  readonly name: string;
  readonly apiKey: string;
}

export interface DemoAccount {
  readonly id: string;
  readonly platform: string;
  readonly username: string | null;
}

const demoFile = 'demo.json';
const storedWorkspaces = z.array(z.object({ id: z.string(), name: z.string(), apiKey: z.string() }));

/** Opens the demo workspaces; the first run creates them. Stores their API keys on disk, as the table has only digests. */
export async function openDemoWorkspaces(
  cloud: LocalCloud,
  data: DataDirectory,
): Promise<readonly DemoWorkspace[]> {
  const table = openTableAsAdministrator(cloud);
  const existing = new Set((await listWorkspaces(table)).map(({ id }) => id));
  const kept = storedWorkspaces.parse(data.read(demoFile) ?? []).filter(({ id }) => existing.has(id));
  const workspaces: DemoWorkspace[] = [];
  for (const name of demoWorkspaceNames) {
    workspaces.push(
      kept.find((workspace) => workspace.name === name) ?? (await createDemo(table, cloud.clock.now(), name)),
    );
  }
  if (cloud.issuer)
    for (const { id } of workspaces) await addDemoPeople(table, cloud.clock.now(), id, cloud.issuer.url);
  data.write(demoFile, workspaces);
  return workspaces;
}

/**
 * Returns the accounts of a demo workspace, one per platform. Connects missing ones as a user would: through the API, our pages
 * and the platform's consent page.
 *
 * @param log receives a line for each platform that could not be connected.
 */
export async function connectDemoAccounts(
  { apiUrl, platforms }: Pick<LocalCloud, 'apiUrl' | 'platforms'>,
  { name, apiKey }: DemoWorkspace,
  log: (line: string) => void,
): Promise<readonly DemoAccount[]> {
  const before = await listAccounts(apiUrl, apiKey);
  const missing = Object.keys(platforms).filter(
    (platform) => !before.some((account) => account.platform === platform),
  );
  if (missing.length === 0) return before;
  for (const platform of missing) {
    const problem = await connectAccount(apiUrl, apiKey, platform, demoUsername(name));
    if (problem !== undefined) log(`no ${platform} account for the workspace ${name}: ${problem}`);
  }
  return listAccounts(apiUrl, apiKey);
}

/** Creates a workspace with an API key. */
export async function createDemo(table: Table, now: number, name: string): Promise<DemoWorkspace> {
  const { id } = await createWorkspace({ table, now, ...operatorAct('workspace.create') }, { name });
  const operator = { table, now, ...operatorAct('key.create') };
  const { apiKey } = await createKey(operator, { workspaceId: id, name: 'local run' });
  return { id, name, apiKey };
}

/** Opens the service’s table, with the rights of the local cloud's administrator. */
export function openTableAsAdministrator({
  model,
  awsEndpoint,
  administrator,
}: Pick<LocalCloud, 'model' | 'awsEndpoint' | 'administrator'>): Table {
  const [table] = model.tables;
  if (table === undefined) throw new Error('the template has no table');
  const client = new DynamoDBClient({
    region: model.region,
    endpoint: awsEndpoint,
    credentials: administrator,
  });
  return {
    name: table.name,
    client: DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } }),
  };
}

const accountList = z.object({
  accounts: z.array(z.object({ id: z.string(), platform: z.string(), username: z.string().nullable() })),
});

async function listAccounts(apiUrl: string, apiKey: string): Promise<readonly DemoAccount[]> {
  const response = await fetch(`${apiUrl}/v1/accounts`, { headers: { authorization: `Bearer ${apiKey}` } });
  if (!response.ok)
    throw new Error(`GET /v1/accounts responded ${response.status}: ${await response.text()}`);
  return accountList.parse(await response.json()).accounts;
}

/** The redirect's target. Nothing needs to listen there, because the redirect is read, not followed. */
const redirectUrl = 'http://127.0.0.1/connected';

/**
 * Connects an account.
 *
 * @returns the problem, if any.
 */
export async function connectAccount(
  apiUrl: string,
  apiKey: string,
  platform: string,
  username: string,
): Promise<string | undefined> {
  const begun = await fetch(`${apiUrl}/v1/connect/${platform}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ redirectUrl }),
  });
  if (begun.status !== 201) return `the API responded ${begun.status}`;
  const { authUrl } = z.object({ authUrl: z.string() }).parse(await begun.json());

  const visitor = new Visitor();
  try {
    const choice = await signIn(visitor, authUrl, username);
    const returned = await visitor.submit(choice, { account: offeredAccounts(choice).slice(0, 1) });
    return new URL(redirectOf(returned)).searchParams.get('error') ?? undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
