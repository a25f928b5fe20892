import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readClicks } from '../../../lib/links/clicks.ts';
import { linkWrites, planLinks } from '../../../lib/links/plan.ts';
import type { Table } from '../../../lib/table/table.ts';
import { transact } from '../../../lib/table/transaction.ts';
import type { CloudVisit } from '../../support/local-cloud.ts';

/** Opens the service's table with an administrator's credentials. */
export function tableOf({ awsEndpoint: endpoint, administrator: credentials, model }: CloudVisit): Table {
  const [table] = model.tables;
  if (table === undefined) throw new Error('the template has no table');
  const client = new DynamoDBClient({ region: model.region, endpoint, credentials });
  return { name: table.name, client: DynamoDBDocumentClient.from(client) };
}

/** Creates a tracked link, as an automation does. @returns its code */
export async function makeLink(cloud: CloudVisit, url: string): Promise<string> {
  const table = tableOf(cloud);
  const [link] = planLinks([url]);
  if (!link) throw new Error('no link');
  const owner = {
    workspaceId: randomUUID(),
    automationId: randomUUID(),
    createdAt: new Date().toISOString(),
  };
  await transact(table, linkWrites(table, [link], owner));
  table.client.destroy();
  return link.code;
}

export async function clicksOf(cloud: CloudVisit, code: string): Promise<number> {
  const table = tableOf(cloud);
  const clicks = await readClicks(table, [code]);
  table.client.destroy();
  return clicks.get(code)?.total ?? 0;
}
