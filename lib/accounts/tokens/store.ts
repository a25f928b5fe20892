import * as z from 'zod';
import { toTimestamp } from '../../kernel/clock.ts';
import type { TokenSet } from '../../platforms/contract/authorization.ts';
import { absent, anyOf, atMost, present, unconditionally } from '../../table/condition.ts';
import { getItem, updateItem } from '../../table/items.ts';
import { renewalShard, tokensKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { type ItemUpdate, removed } from '../../table/update.ts';
import type { Account } from '../schemas.ts';
import type { Vault } from '../vault.ts';

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

/** `undefined` if the account is disconnected. */
export async function findTokens(table: Table, account: AccountRef): Promise<StoredTokens | undefined> {
  const item = await getItem(table, tokensKey(account.workspaceId, account.id));
  return item && StoredTokens.parse(item);
}

/** A set as it is about to be stored. */
export interface NewTokens {
  readonly ciphertext: string;
  readonly set: TokenSet;
  /** When the sweep renews it, in epoch milliseconds; absent where it never does. */
  readonly dueMs?: number | undefined;
}

const noLease = { refreshLeaseUntil: removed, refreshLeaseId: removed };

/**
 * Writes a new set over whatever is there, and ends any refresh of the old one: the version is another one, so its
 * result can no longer be stored.
 */
export function newTokensUpdate(
  { platform }: Pick<Account, 'platform'>,
  { ciphertext, set: { expiresAt, obtainedAt }, dueMs }: NewTokens,
): ItemUpdate {
  return {
    set: {
      kind: 'tokens',
      ciphertext,
      obtainedAt,
      expiresAt: expiresAt ?? removed,
      dueShard: dueMs === undefined ? removed : renewalShard(platform),
      dueAt: dueMs === undefined ? removed : toTimestamp(dueMs),
      ...noLease,
    },
    add: { version: 1 },
    if: unconditionally,
  };
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
  const { written, item } = await updateItem(table, tokensKey(account.workspaceId, account.id), {
    set: { refreshLeaseUntil: toTimestamp(lease.untilMs), refreshLeaseId: lease.id },
    if: { version, refreshLeaseUntil: anyOf(absent, atMost(toTimestamp(lease.now))) },
  });
  if (!item) return { state: 'gone' };
  const stored = StoredTokens.parse(item);
  // Our own lease in the way: the reply to the first write was lost and the SDK sent it again.
  if (written || stored.refreshLeaseId === lease.id) return { state: 'taken', stored };
  return stored.version === version ? { state: 'held' } : { state: 'renewed', stored };
}

/** Lets others try; nothing happens if the lease is another's by now. */
export async function endRefreshLease(table: Table, account: AccountRef, leaseId: string): Promise<void> {
  const key = tokensKey(account.workspaceId, account.id);
  await updateItem(table, key, { set: noLease, if: { refreshLeaseId: leaseId } });
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
  const { item } = await updateItem(table, tokensKey(account.workspaceId, account.id), {
    ...newTokensUpdate(account, tokens),
    if: { version },
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
  await updateItem(table, tokensKey(account.workspaceId, account.id), {
    set: dueMs === undefined ? { dueShard: removed, dueAt: removed } : { dueAt: toTimestamp(dueMs) },
    if: { version, dueShard: present },
  });
}
