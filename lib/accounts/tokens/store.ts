import { GetCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { toTimestamp } from '../../kernel/clock.ts';
import type { TokenSet } from '../../platforms/contract/authorization.ts';
import { conditionalUpdate } from '../../table/conditional-update.ts';
import { renewalShard, tokensKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import type { Account } from '../schemas.ts';
import type { Vault } from '../vault/vault.ts';

export type AccountRef = Pick<Account, 'workspaceId' | 'id'>;

/** An account's tokens as the table keeps them: sealed, with what can be known without opening them. */
export const StoredTokens = z.object({
  ciphertext: z.string(),
  /** Raised with every new set. */
  version: z.int(),
  obtainedAt: z.string(),
  /** Absent where the token has no end. */
  expiresAt: z.string().optional(),
  /** While it lasts, one worker is asking the platform for a new set. */
  refreshLeaseUntil: z.string().optional(),
  /** When the sweep renews the set; absent where that is over. */
  dueAt: z.string().optional(),
  refreshLeaseId: z.string().optional(),
});
export type StoredTokens = z.infer<typeof StoredTokens>;

/** A {@link TokenSet} as it comes out of a sealed text. */
export const SealedTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().exactOptional(),
  expiresAt: z.string().exactOptional(),
  obtainedAt: z.string(),
  scopes: z.array(z.string()),
});

const sealContext = ({ workspaceId, id }: AccountRef) => ({
  workspace: workspaceId,
  account: id,
  purpose: 'tokens',
});

export function sealTokens(vault: Vault, account: AccountRef, tokens: TokenSet): Promise<string> {
  return vault.seal(JSON.stringify(tokens), sealContext(account));
}

/** @throws where the text was sealed for another account */
export async function openTokens(vault: Vault, account: AccountRef, ciphertext: string): Promise<TokenSet> {
  return SealedTokens.parse(JSON.parse(await vault.open(ciphertext, sealContext(account))));
}

/** `undefined` where the account is disconnected. */
export async function findTokens(table: Table, account: AccountRef): Promise<StoredTokens | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: tokensKey(account.workspaceId, account.id),
      ConsistentRead: true,
    }),
  );
  return Item && StoredTokens.parse(Item);
}

/** A set as it is about to be stored. */
export interface NewTokens {
  readonly ciphertext: string;
  readonly set: TokenSet;
  /** When the sweep renews it, in epoch milliseconds; absent where it never does. */
  readonly dueMs?: number | undefined;
}

/**
 * Writes a new set over whatever is there, and ends any refresh of the old one: the version is another one, so its
 * result can no longer be stored.
 */
export function newTokensUpdate(
  account: AccountRef & Pick<Account, 'platform'>,
  { ciphertext, set: { expiresAt, obtainedAt }, dueMs }: NewTokens,
) {
  return {
    Key: tokensKey(account.workspaceId, account.id),
    UpdateExpression: [
      'SET kind = :kind, ciphertext = :ciphertext, obtainedAt = :obtainedAt',
      ...(expiresAt === undefined ? [] : [', expiresAt = :expiresAt']),
      ...(dueMs === undefined ? [] : [', dueShard = :dueShard, dueAt = :dueAt']),
      ' REMOVE refreshLeaseUntil, refreshLeaseId',
      ...(expiresAt === undefined ? [', expiresAt'] : []),
      ...(dueMs === undefined ? [', dueShard, dueAt'] : []),
      ' ADD version :one',
    ].join(''),
    ExpressionAttributeValues: {
      ':kind': 'tokens',
      ':ciphertext': ciphertext,
      ':obtainedAt': obtainedAt,
      ':one': 1,
      ...(expiresAt !== undefined && { ':expiresAt': expiresAt }),
      ...(dueMs !== undefined && {
        ':dueShard': renewalShard(account.platform),
        ':dueAt': toTimestamp(dueMs),
      }),
    },
  } satisfies Partial<UpdateCommandInput>;
}

export type RefreshLease =
  | { readonly state: 'taken'; readonly stored: StoredTokens }
  | { readonly state: 'held' }
  /** There is another set by now. */
  | { readonly state: 'renewed'; readonly stored: StoredTokens }
  | { readonly state: 'gone' };

/**
 * Takes the right to refresh the set of this version, for one worker at a time.
 *
 * @param lease its end in epoch milliseconds, and an id that no other attempt has
 */
export async function takeRefreshLease(
  table: Table,
  account: AccountRef,
  version: number,
  lease: { readonly id: string; readonly now: number; readonly untilMs: number },
): Promise<RefreshLease> {
  const { written, item } = await conditionalUpdate(table, {
    Key: tokensKey(account.workspaceId, account.id),
    UpdateExpression: 'SET refreshLeaseUntil = :until, refreshLeaseId = :id',
    ConditionExpression:
      'version = :version AND (attribute_not_exists(refreshLeaseUntil) OR refreshLeaseUntil <= :now)',
    ExpressionAttributeValues: {
      ':version': version,
      ':id': lease.id,
      ':until': toTimestamp(lease.untilMs),
      ':now': toTimestamp(lease.now),
    },
  });
  if (!item) return { state: 'gone' };
  const stored = StoredTokens.parse(item);
  // Our own lease in the way: the reply to the first write was lost and the SDK sent it again.
  if (written || stored.refreshLeaseId === lease.id) return { state: 'taken', stored };
  return stored.version === version ? { state: 'held' } : { state: 'renewed', stored };
}

/** Lets others try; nothing happens where the lease is another's by now. */
export async function endRefreshLease(table: Table, account: AccountRef, leaseId: string): Promise<void> {
  await conditionalUpdate(table, {
    Key: tokensKey(account.workspaceId, account.id),
    UpdateExpression: 'REMOVE refreshLeaseUntil, refreshLeaseId',
    ConditionExpression: 'refreshLeaseId = :id',
    ExpressionAttributeValues: { ':id': leaseId },
  });
}

/**
 * Stores the set that a refresh of the set of this version gave, unless there is another one by now. That the lease
 * still stands is not asked: a platform that rotates its tokens takes the old one from nobody else any more.
 *
 * @returns what is stored now: another set where the account was connected again meanwhile, `undefined` where it was
 *   disconnected
 */
export async function storeRefreshed(
  table: Table,
  account: AccountRef & Pick<Account, 'platform'>,
  version: number,
  tokens: NewTokens,
): Promise<StoredTokens | undefined> {
  const update = newTokensUpdate(account, tokens);
  const { item } = await conditionalUpdate(table, {
    ...update,
    ConditionExpression: 'version = :version',
    ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':version': version },
  });
  return item && StoredTokens.parse(item);
}

/**
 * Has the sweep come back to the set of this version at another time.
 *
 * @param dueMs epoch milliseconds; undefined: never, for this set is of no more use
 */
export async function postponeRenewal(
  table: Table,
  account: AccountRef,
  version: number,
  dueMs: number | undefined,
): Promise<void> {
  await conditionalUpdate(table, {
    Key: tokensKey(account.workspaceId, account.id),
    UpdateExpression: dueMs === undefined ? 'REMOVE dueShard, dueAt' : 'SET dueAt = :dueAt',
    ConditionExpression: 'version = :version AND attribute_exists(dueShard)',
    ExpressionAttributeValues: {
      ':version': version,
      ...(dueMs !== undefined && { ':dueAt': toTimestamp(dueMs) }),
    },
  });
}
