import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { accountKey, accountPrefix, workspaceKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { Account } from './schemas.ts';

/** The table cannot hold every JSON there is (depth, empty keys, exponents), so free-form JSON is kept as text. */
export function accountItem(account: Account): Record<string, unknown> {
  return {
    ...accountKey(account.workspaceId, account.id),
    kind: 'account',
    ...account,
    meta: JSON.stringify(account.meta),
  };
}

export function accountFromItem(item: Record<string, unknown>): Account {
  return Account.parse({ ...item, meta: JSON.parse(String(item['meta'] ?? '{}')) });
}

/** The account, connected or not; `undefined` where the workspace never had it. */
export async function findAccount(
  table: Table,
  workspaceId: string,
  accountId: string,
): Promise<Account | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: accountKey(workspaceId, accountId), ConsistentRead: true }),
  );
  return Item && accountFromItem(Item);
}

export interface AccountPage {
  readonly accounts: Account[];
  /** The last account looked at, where there may be more. */
  readonly lastAccountId: string | undefined;
}

/**
 * One page of a workspace's connected accounts, in the order of their ids.
 *
 * @param limit how many accounts to look at; those of another platform and disconnected ones do not count as found
 */
export async function queryAccounts(
  table: Table,
  workspaceId: string,
  options: { platform?: string | undefined; limit?: number | undefined; afterAccountId?: string | undefined },
): Promise<AccountPage> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :partition AND begins_with(sk, :prefix)',
      FilterExpression: options.platform
        ? 'attribute_not_exists(disconnectedAt) AND platform = :platform'
        : 'attribute_not_exists(disconnectedAt)',
      ExpressionAttributeValues: {
        ':partition': workspaceKey(workspaceId).pk,
        ':prefix': accountPrefix,
        ...(options.platform && { ':platform': options.platform }),
      },
      Limit: options.limit,
      ExclusiveStartKey: options.afterAccountId ? accountKey(workspaceId, options.afterAccountId) : undefined,
      ConsistentRead: true,
    }),
  );
  return {
    accounts: Items.map(accountFromItem),
    lastAccountId: LastEvaluatedKey && String(LastEvaluatedKey['sk']).slice(accountPrefix.length),
  };
}
