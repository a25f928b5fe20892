import { absent, either } from '../table/condition.ts';
import { getItem, updateItem } from '../table/items.ts';
import { livePostKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, updatePart } from '../table/transaction.ts';
import { type ItemUpdate, removingUndefined } from '../table/update.ts';

/** A live post, keyed by its id at the platform. */
export interface LivePostRecord {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly platformPostId: string;
  readonly postId: string;
}

const keyOf = ({ workspaceId, accountId, platformPostId }: Omit<LivePostRecord, 'postId'>) =>
  livePostKey(workspaceId, accountId, platformPostId);

/** Returns the update that sets the record, unless another post of the workspace has it. It creates the item too. */
const claim = (record: LivePostRecord): ItemUpdate => ({
  set: { kind: 'livePost', ...record },
  if: { [either]: [{ pk: absent }, { postId: record.postId }] },
});

/**
 * Returns the part of a transaction that claims a platform's post for a target. The transaction fails if another post has claimed
 * it.
 */
export function livePostClaim(table: Pick<Table, 'name'>, record: LivePostRecord): TransactionItems[number] {
  return updatePart(table, keyOf(record), claim(record));
}

/**
 * Claims a platform's post for a target that certainly made it. Idempotent: a claim never changes its owner.
 *
 * @returns true if the post of the record has the claim now
 */
export async function claimLivePost(table: Table, record: LivePostRecord): Promise<boolean> {
  return (await updateItem(table, keyOf(record), claim(record))).written;
}

/** Lets the record of a post expire, or restores it. @param expiresAtSeconds epoch seconds; `undefined`: it is kept */
export async function setLivePostExpiry(
  table: Table,
  record: LivePostRecord,
  expiresAtSeconds: number | undefined,
): Promise<void> {
  const { postId } = record;
  await updateItem(table, keyOf(record), { set: removingUndefined({ expiresAtSeconds }), if: { postId } });
}

/** Returns the id of the post behind a platform's id; `undefined` if it is not a post of this workspace. */
export async function findLivePost(
  table: Table,
  record: Omit<LivePostRecord, 'postId'>,
): Promise<string | undefined> {
  const item = await getItem(table, keyOf(record));
  return item && String(item['postId']);
}

/** Records the claim of a target that was committed as live without one. Idempotent, as {@link claimLivePost}. */
export async function noteLivePost(table: Table, record: LivePostRecord): Promise<void> {
  await claimLivePost(table, record);
}
