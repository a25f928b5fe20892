import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { sha256 } from '../../kernel/ids.ts';
import { webhookKey, webhookPrefix, webhookUrlKey, workspaceKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { type TransactionItems, transact } from '../../table/transaction.ts';
import { Webhook, webhookLimits } from '../schemas.ts';
import { normalWebhookUrl } from '../transport/url.ts';

/** The endpoint, strongly consistent; `undefined` for an unknown and a foreign id alike. */
export async function findWebhook(
  table: Table,
  workspaceId: string,
  webhookId: string,
): Promise<Webhook | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: webhookKey(workspaceId, webhookId), ConsistentRead: true }),
  );
  return Item && Webhook.parse(Item);
}

/** A workspace's endpoints in the order of their creation, at most 20: all, or a page where `limit` is given. */
export async function queryWebhooks(
  table: Table,
  workspaceId: string,
  { limit, afterWebhookId }: { limit?: number | undefined; afterWebhookId?: string | undefined },
): Promise<{ webhooks: Webhook[]; lastWebhookId: string | undefined }> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :partition AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':partition': workspaceKey(workspaceId).pk, ':prefix': webhookPrefix },
      Limit: limit,
      ExclusiveStartKey: afterWebhookId ? webhookKey(workspaceId, afterWebhookId) : undefined,
      ConsistentRead: true,
    }),
  );
  return {
    webhooks: Items.map((item) => Webhook.parse(item)),
    lastWebhookId: LastEvaluatedKey && String(LastEvaluatedKey['sk']).slice(webhookPrefix.length),
  };
}

/** Whoever registers or deletes endpoints in one workspace meets on its counter. */
const attemptsAtOneWorkspace = 12;

/** Stores a new endpoint, holds its URL and counts it, all or nothing. */
export async function insertWebhook(
  table: Table,
  webhook: Webhook,
): Promise<'stored' | 'url taken' | 'too many'> {
  const { workspaceId, id } = webhook;
  const writes: TransactionItems = [
    holdUrl(table, webhook),
    {
      Update: {
        TableName: table.name,
        Key: workspaceKey(workspaceId),
        UpdateExpression: 'ADD webhooks :one',
        ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(webhooks) OR webhooks < :most)',
        ExpressionAttributeValues: { ':one': 1, ':most': webhookLimits.endpointsPerWorkspace },
      },
    },
    {
      Put: {
        TableName: table.name,
        Item: { ...webhookKey(workspaceId, id), kind: 'webhook', ...webhook },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
  ];
  const outcome = await transact(table, writes, attemptsAtOneWorkspace);
  if (outcome.committed) return 'stored';
  return outcome.failedIndex === 0 ? 'url taken' : 'too many';
}

/** What a client may change; what Herald notes of an endpoint's health is cleared with it, never set. */
export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly events?: Webhook['events'] | undefined;
  readonly isActive?: boolean | undefined;
  readonly description?: string | null | undefined;
  /** Forgets `failingSince` and `statusMessage`. */
  readonly clearsHealth: boolean;
}

/**
 * Changes an endpoint that no client has changed since it was read. With another URL it lets go of the old one and holds
 * the new one, all or nothing.
 *
 * @returns `changed` where it has been changed or deleted meanwhile: read again and decide anew
 */
export async function updateWebhook(
  table: Table,
  before: Webhook,
  { clearsHealth, ...changes }: WebhookChanges,
): Promise<'stored' | 'url taken' | 'changed'> {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  const sets = [...given, ...(clearsHealth ? [['statusMessage', null] as const] : [])];
  const update: TransactionItems[number] = {
    Update: {
      TableName: table.name,
      Key: webhookKey(before.workspaceId, before.id),
      UpdateExpression: `SET #version = :next${sets.map(([name]) => `, #${name} = :${name}`).join('')}${
        clearsHealth ? ' REMOVE failingSince' : ''
      }`,
      ConditionExpression: '#version = :version',
      ExpressionAttributeNames: Object.fromEntries([
        ['#version', 'version'],
        ...sets.map(([name]) => [`#${name}`, name]),
      ]),
      ExpressionAttributeValues: Object.fromEntries([
        [':version', before.version],
        [':next', before.version + 1],
        ...sets.map(([name, value]) => [`:${name}`, value]),
      ]),
    },
  };
  const after = { ...before, url: changes.url ?? before.url };
  const moves =
    urlDigest(after.url) === urlDigest(before.url) ? [] : [holdUrl(table, after), letGo(table, before)];
  const outcome = await transact(table, [update, ...moves]);
  if (outcome.committed) return 'stored';
  return outcome.failedIndex === 1 ? 'url taken' : 'changed';
}

/**
 * Deletes an endpoint with all that it holds. What is still to be delivered to it ends when its next attempt is due.
 *
 * @returns `changed` where a client has changed or deleted it since it was read
 */
export async function deleteWebhook(table: Table, webhook: Webhook): Promise<'deleted' | 'changed'> {
  const { workspaceId, id, version } = webhook;
  const writes: TransactionItems = [
    {
      Delete: {
        TableName: table.name,
        Key: webhookKey(workspaceId, id),
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':version': version },
      },
    },
    letGo(table, webhook),
    {
      Update: {
        TableName: table.name,
        Key: workspaceKey(workspaceId),
        UpdateExpression: 'ADD webhooks :minusOne',
        ConditionExpression: 'webhooks > :none',
        ExpressionAttributeValues: { ':minusOne': -1, ':none': 0 },
      },
    },
  ];
  const outcome = await transact(table, writes, attemptsAtOneWorkspace);
  if (outcome.committed) return 'deleted';
  if (outcome.failedIndex === 0) return 'changed';
  throw new Error(`the workspace ${workspaceId} does not hold what its endpoint ${id} should hold`);
}

function holdUrl(table: Table, { workspaceId, id, url }: Webhook): TransactionItems[number] {
  return {
    Put: {
      TableName: table.name,
      Item: { ...webhookUrlKey(workspaceId, urlDigest(url)), kind: 'webhookUrl', webhookId: id },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

function letGo(table: Table, { workspaceId, id, url }: Webhook): TransactionItems[number] {
  return {
    Delete: {
      TableName: table.name,
      Key: webhookUrlKey(workspaceId, urlDigest(url)),
      ConditionExpression: 'webhookId = :id',
      ExpressionAttributeValues: { ':id': id },
    },
  };
}

const urlDigest = (url: string): string => sha256(normalWebhookUrl(new URL(url)));
