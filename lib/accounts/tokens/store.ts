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

/** An account's tokens, as stored: encrypted, with the fields that are readable without decrypting them. */
export const StoredTokens = z.object({
  ciphertext: z.string(),
  /** Incremented with every new set. */
  version: z.int(),
  obtainedAt: z.string(),
  /** Absent if the access token does not expire. */
  expiresAt: z.string().optional(),
  /**
   * The end of the lease of the one worker that requests a new set from the platform. If it has passed, the outcome of that
   * request is unknown.
   */
  refreshLeaseUntil: z.string().optional(),
  /** The time at which the sweep must process the set; absent if it need not. */
  dueAt: z.string().optional(),
  refreshLeaseId: z.string().optional(),
});
export type StoredTokens = z.infer<typeof StoredTokens>;

/** A {@link TokenSet} after decryption. */
export const SealedTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().exactOptional(),
  expiresAt: z.string().exactOptional(),
  refreshExpiresAt: z.string().exactOptional(),
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

/** Returns a function that seals tokens without the key service, for tokens that replace those of the platform's refresh. */
export async function tokenSealer(vault: Vault, account: AccountRef): Promise<(tokens: TokenSet) => string> {
  const seal = await vault.sealer(sealContext(account));
  return (tokens) => seal(JSON.stringify(tokens));
}

/** @throws if the text was sealed for another account */
export async function openTokens(vault: Vault, account: AccountRef, ciphertext: string): Promise<TokenSet> {
  return SealedTokens.parse(JSON.parse(await vault.open(ciphertext, sealContext(account))));
}

/** Returns `undefined` if the account is disconnected. */
export async function findTokens(table: Table, account: AccountRef): Promise<StoredTokens | undefined> {
  const item = await getItem(table, tokensKey(account.workspaceId, account.id));
  return item && StoredTokens.parse(item);
}

/** A new set that is ready to be stored. */
export interface NewTokens {
  readonly ciphertext: string;
  readonly set: TokenSet;
  /** The time at which the sweep must process the set, in epoch milliseconds; absent if never. */
  readonly dueMs?: number | undefined;
}

const noLease = { refreshLeaseUntil: removed, refreshLeaseId: removed };

/**
 * Overwrites the stored set with a new one and ends any refresh of the old set: the version changes, so the result of
 * that refresh can no longer be stored.
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
  /** A newer set is stored. */
  | { readonly state: 'renewed'; readonly stored: StoredTokens }
  | { readonly state: 'gone' };

/**
 * Takes the lease to refresh the set of this version. One worker holds it at a time.
 *
 * @param lease `untilMs`, its end in epoch milliseconds, and an `id` unique to this attempt
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
  // Our own id is stored: the reply to the first write was lost, and the SDK sent the write again.
  if (written || stored.refreshLeaseId === lease.id) return { state: 'taken', stored };
  return stored.version === version ? { state: 'held' } : { state: 'renewed', stored };
}

/**
 * Releases the lease early. Does nothing if another worker holds it by now.
 *
 * @param openSinceMs the current time, in epoch milliseconds, if it is unknown whether the platform has replaced the set. The
 *   lease then stays as an expired one until a new set is stored
 */
export async function endRefreshLease(
  table: Table,
  account: AccountRef,
  leaseId: string,
  openSinceMs?: number,
): Promise<void> {
  const key = tokensKey(account.workspaceId, account.id);
  const expired = openSinceMs !== undefined && { refreshLeaseUntil: toTimestamp(openSinceMs) };
  await updateItem(table, key, { set: { ...noLease, ...expired }, if: { refreshLeaseId: leaseId } });
}

/**
 * Stores the set that refreshing the set of this version returned, unless a newer set is stored. Does not check the lease: if the
 * platform rotates refresh tokens, no other worker can use the old one any more.
 *
 * @returns the set stored now: another one if the account was connected again in the meantime, `undefined` if it was disconnected
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
 * Changes the time at which the sweep must process the set of this version.
 *
 * @param dueMs epoch milliseconds; undefined for never, if this set is no longer of use
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
