import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { toTimestamp } from '../kernel/clock.ts';
import { conditionalUpdate } from '../table/conditional-update.ts';
import {
  accountKey,
  accountPrefix,
  connectedAccountKey,
  connectedLoginKey,
  loginPartition,
  platformAccountPartition,
  tokensKey,
  workspaceKey,
} from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, transact } from '../table/transaction.ts';
import { Account } from './schemas.ts';
import { type NewTokens, newTokensUpdate } from './tokens/store.ts';

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

/**
 * Marks a connected account as unfit, once for each status.
 *
 * @param account as it was when its token was refused: one that was connected again since is left alone
 * @param reason the platform's words, shown to people
 * @returns whether this call changed it
 */
export function markAccount(
  table: Table,
  account: Account,
  status: 'expired' | 'error',
  reason: string,
): Promise<boolean> {
  return change(table, account, {
    update: 'SET #status = :status, statusMessage = :message',
    condition: '#status <> :status',
    names: { '#status': 'status' },
    values: { ':status': status, ':message': reason },
  });
}

/** An account whose tokens could be refreshed after all is well again. */
export function markRefreshed(table: Table, account: Account): Promise<boolean> {
  return change(table, account, {
    update: 'SET #status = :status, statusMessage = :message REMOVE reconnectBy',
    condition: '(#status <> :status OR attribute_exists(reconnectBy))',
    names: { '#status': 'status' },
    values: { ':status': 'ok', ':message': null },
  });
}

/** Notes ahead when an account's access ends, where its present token is good until then and can no longer be renewed. */
export function noteEnd(table: Table, account: Account, reconnectBy: string): Promise<boolean> {
  return change(table, account, {
    update: 'SET reconnectBy = :end',
    condition: '(attribute_not_exists(reconnectBy) OR reconnectBy <> :end)',
    values: { ':end': reconnectBy },
  });
}

/** Changes a connected account, unless it was connected again since it was read. */
async function change(
  table: Table,
  { workspaceId, id, connectedAt }: Account,
  { update, condition, names, values }: AccountChange,
): Promise<boolean> {
  const { written } = await conditionalUpdate(table, {
    Key: accountKey(workspaceId, id),
    UpdateExpression: update,
    ConditionExpression: `connectedAt = :connectedAt AND attribute_not_exists(disconnectedAt) AND ${condition}`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: { ...values, ':connectedAt': connectedAt },
  });
  return written;
}

interface AccountChange {
  readonly update: string;
  readonly condition: string;
  readonly names?: Record<string, string>;
  readonly values: Record<string, unknown>;
}

/**
 * Writes connected accounts with their tokens: new ones, and known ones as if they had never been away.
 */
export function connectionWrites(table: Table, account: Account, tokens: NewTokens): TransactionItems {
  const { workspaceId, id, loginId } = account;
  const byLogin = loginId === undefined ? [] : [connectedLoginKey(account, loginId)];
  return [
    { Put: { TableName: table.name, Item: accountItem(account) } },
    ...byLogin.map((key) => ({
      Put: {
        TableName: table.name,
        Item: { ...key, kind: 'connectedLogin', workspaceId, accountId: id },
      },
    })),
    {
      Put: {
        TableName: table.name,
        Item: { ...connectedAccountKey(account), kind: 'connectedAccount', workspaceId, accountId: id },
      },
    },
    { Update: { TableName: table.name, ...newTokensUpdate(account, tokens) } },
  ];
}

/**
 * Ends a connection: the tokens are gone, the account's record stays.
 *
 * @returns false where it was disconnected already
 */
export async function endConnection(table: Table, account: Account, now: number): Promise<boolean> {
  const { workspaceId, id, loginId } = account;
  const byLogin = loginId === undefined ? [] : [connectedLoginKey(account, loginId)];
  const outcome = await transact(table, [
    {
      Update: {
        TableName: table.name,
        Key: accountKey(workspaceId, id),
        UpdateExpression: 'SET disconnectedAt = :now',
        ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(disconnectedAt)',
        ExpressionAttributeValues: { ':now': toTimestamp(now) },
      },
    },
    { Delete: { TableName: table.name, Key: tokensKey(workspaceId, id) } },
    { Delete: { TableName: table.name, Key: connectedAccountKey(account) } },
    ...byLogin.map((Key) => ({ Delete: { TableName: table.name, Key } })),
  ]);
  return outcome.committed;
}

/**
 * Whether any workspace has a connection that goes by the account's authorization: one of the same account or, where a
 * login carries several, one of any account of that login.
 */
export async function isAuthorizationInUse(
  table: Table,
  { platform, platformAccountId, loginId }: Pick<Account, 'platform' | 'platformAccountId' | 'loginId'>,
): Promise<boolean> {
  if (loginId !== undefined) return isLoginInUse(table, platform, loginId);
  const { Count } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :partition',
      ExpressionAttributeValues: { ':partition': platformAccountPartition(platform, platformAccountId) },
      Limit: 1,
      Select: 'COUNT',
      ConsistentRead: true,
    }),
  );
  return Count !== 0;
}

/**
 * An account that came by another login since still has its entry under the first one, so the accounts themselves are
 * looked at; the first that goes by this login settles it.
 */
async function isLoginInUse(table: Table, platform: string, loginId: string): Promise<boolean> {
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await table.client.send(
      new QueryCommand({
        TableName: table.name,
        KeyConditionExpression: 'pk = :partition',
        ExpressionAttributeValues: { ':partition': loginPartition(platform, loginId) },
        ExclusiveStartKey,
        ConsistentRead: true,
      }),
    );
    for (const { workspaceId, accountId } of Items) {
      const account = await findAccount(table, String(workspaceId), String(accountId));
      if (account && !account.disconnectedAt && account.loginId === loginId) return true;
    }
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return false;
}
