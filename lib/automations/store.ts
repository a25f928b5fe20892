import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { linkWrites, type TrackedLink } from '../links/plan.ts';
import { automationKey, automationPostKey, automationsPartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, transact } from '../table/transaction.ts';
import { Automation } from './schemas.ts';

/** A post at a platform, in a workspace. */
export type RulePost = Pick<Automation, 'workspaceId' | 'accountId' | 'platformPostId'>;

/** The rule, strongly consistent; `undefined` for an unknown and a foreign id alike. */
export async function findAutomation(
  table: Table,
  workspaceId: string,
  automationId: string,
): Promise<Automation | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: automationKey(workspaceId, automationId),
      ConsistentRead: true,
    }),
  );
  return Item && Automation.parse(Item);
}

/** The one rule of a post, strongly consistent, whether it is active or not. */
export async function findAutomationOfPost(
  table: Table,
  { workspaceId, accountId, platformPostId }: RulePost,
): Promise<Automation | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: automationPostKey(workspaceId, accountId, platformPostId),
      ConsistentRead: true,
    }),
  );
  return Item && findAutomation(table, workspaceId, String(Item['automationId']));
}

/**
 * One page of a workspace's rules, newest first.
 *
 * @param options.limit how many to look at; those of another account do not count as found
 */
export async function queryAutomations(
  table: Table,
  workspaceId: string,
  options: { accountId?: string | undefined; limit: number; afterAutomationId?: string | undefined },
): Promise<{ automations: Automation[]; lastAutomationId: string | undefined }> {
  const { accountId, limit, afterAutomationId } = options;
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :partition',
      ...(accountId !== undefined && { FilterExpression: 'accountId = :accountId' }),
      ExpressionAttributeValues: {
        ':partition': automationsPartition(workspaceId),
        ...(accountId !== undefined && { ':accountId': accountId }),
      },
      Limit: limit,
      ScanIndexForward: false,
      ExclusiveStartKey: afterAutomationId ? automationKey(workspaceId, afterAutomationId) : undefined,
      ConsistentRead: true,
    }),
  );
  return {
    automations: Items.map((item) => Automation.parse(item)),
    lastAutomationId: LastEvaluatedKey && String(LastEvaluatedKey['sk']),
  };
}

/** Stores a new rule with its links and holds its post, all or nothing. `post taken` where the post has a rule. */
export async function insertAutomation(
  table: Table,
  automation: Automation,
): Promise<'stored' | 'post taken'> {
  const { workspaceId, accountId, platformPostId, id } = automation;
  const writes: TransactionItems = [
    {
      Put: {
        TableName: table.name,
        Item: {
          ...automationPostKey(workspaceId, accountId, platformPostId),
          kind: 'automationPost',
          automationId: id,
        },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    {
      Put: {
        TableName: table.name,
        Item: automationItem(automation),
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
    ...newLinks(table, automation, automation.links),
  ];
  const outcome = await transact(table, writes);
  if (outcome.committed) return 'stored';
  if (outcome.failedIndex === 0) return 'post taken';
  throw new Error(`the id ${id} of a rule or a code of one of its links is taken`);
}

/**
 * Puts a rule as it is to be in the place of the rule as it was read, and makes its new links, all or nothing.
 *
 * @returns `changed` where a client has changed or deleted it since it was read: read again and decide anew
 */
export async function replaceAutomation(
  table: Table,
  before: Automation,
  after: Automation,
  addedLinks: readonly TrackedLink[],
): Promise<'stored' | 'changed'> {
  const writes: TransactionItems = [
    {
      Put: {
        TableName: table.name,
        Item: automationItem(after),
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':version': before.version },
      },
    },
    ...newLinks(table, after, addedLinks),
  ];
  const outcome = await transact(table, writes);
  if (outcome.committed) return 'stored';
  if (outcome.failedIndex === 0) return 'changed';
  throw new Error(`a code of a new link of the rule ${after.id} is taken`);
}

/**
 * Deletes a rule and lets go of its post. Its links stay.
 *
 * @returns `changed` where a client has changed or deleted it since it was read
 */
export async function deleteAutomation(
  table: Table,
  { workspaceId, accountId, platformPostId, id, version }: Automation,
): Promise<'deleted' | 'changed'> {
  const writes: TransactionItems = [
    {
      Delete: {
        TableName: table.name,
        Key: automationKey(workspaceId, id),
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: { ':version': version },
      },
    },
    {
      Delete: {
        TableName: table.name,
        Key: automationPostKey(workspaceId, accountId, platformPostId),
        ConditionExpression: 'automationId = :id',
        ExpressionAttributeValues: { ':id': id },
      },
    },
  ];
  const outcome = await transact(table, writes);
  if (outcome.committed) return 'deleted';
  if (outcome.failedIndex === 0) return 'changed';
  throw new Error(`the workspace ${workspaceId} does not hold the post of its rule ${id}`);
}

function automationItem(automation: Automation): Record<string, unknown> {
  return { ...automationKey(automation.workspaceId, automation.id), kind: 'automation', ...automation };
}

function newLinks(table: Table, automation: Automation, links: readonly TrackedLink[]): TransactionItems {
  const { workspaceId, id: automationId, updatedAt: createdAt } = automation;
  return linkWrites(table, links, { workspaceId, automationId, createdAt });
}
