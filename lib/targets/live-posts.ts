import { absent, either } from '../table/condition.ts';
import { deleteItem, getItem, updateItem } from '../table/items.ts';
import { formerKeyOfLivePost, livePostKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, updatePart } from '../table/transaction.ts';
import { type ItemUpdate, removingUndefined } from '../table/update.ts';

/** A post at a platform. Several workspaces may have connected its account, and one target of one of them has made it. */
export interface PlatformPost {
  readonly platform: string;
  readonly platformPostId: string;
}

/** The target that has made a post. */
export interface LivePostOwner {
  readonly workspaceId: string;
  readonly postId: string;
  readonly accountId: string;
}

/** The claim of a target on a platform's post, which is at most one target's. */
export type LivePostRecord = PlatformPost & LivePostOwner;

const keyOf = ({ platform, platformPostId }: PlatformPost) => livePostKey(platform, platformPostId);

/** Returns the update that sets the record, unless another post has it. It creates the item too. */
const claim = (record: LivePostRecord): ItemUpdate => ({
  set: { kind: 'livePost', ...record },
  if: { [either]: [{ pk: absent }, { workspaceId: record.workspaceId, postId: record.postId }] },
});

/**
 * Returns the part of a transaction that claims a platform's post for a target. The transaction fails if another post, of whatever
 * workspace, has claimed it.
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
  const { workspaceId, postId } = record;
  const set = removingUndefined({ expiresAtSeconds });
  await updateItem(table, keyOf(record), { set, if: { workspaceId, postId } });
}

/** Deletes the record of a platform's post if it is a workspace's. */
export async function deleteLivePost(table: Table, record: PlatformPost, workspaceId: string): Promise<void> {
  await deleteItem(table, keyOf(record), { workspaceId });
}

/**
 * Returns the owner of a platform's post; `undefined` if no target has claimed it. An earlier release stored claims by workspace and
 * account: such a claim of this account counts too.
 *
 * @param account the account that asks
 */
export async function findLivePost(
  table: Table,
  { platform, platformPostId }: PlatformPost,
  { workspaceId, accountId }: Pick<LivePostOwner, 'workspaceId' | 'accountId'>,
): Promise<LivePostOwner | undefined> {
  const item =
    (await getItem(table, livePostKey(platform, platformPostId))) ??
    (await getItem(table, formerKeyOfLivePost(workspaceId, accountId, platformPostId)));
  return (
    item && {
      workspaceId: String(item['workspaceId']),
      postId: String(item['postId']),
      accountId: String(item['accountId']),
    }
  );
}
