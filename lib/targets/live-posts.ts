import { repairTaskItem } from '../overdue/repair-tasks.ts';
import { absent, either, unconditionally } from '../table/condition.ts';
import { deleteItem, getItem, updateItem } from '../table/items.ts';
import { formerKeyOfLivePost, livePostKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { putPart, type TransactionItems, transact, updatePart } from '../table/transaction.ts';
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
 * Claims a platform's post for a target. Idempotent: does not change the owner of a claim.
 *
 * @returns true if the post of the record has the claim now
 */
export async function claimLivePost(table: Table, record: LivePostRecord): Promise<boolean> {
  return (await updateItem(table, keyOf(record), claim(record))).written;
}

/** The number of tries to claim a post whose claim changes in the meantime. A claim that is certain does not change again. */
const claimAttempts = 3;

/**
 * Claims a platform's post for a target that certainly made it: the platform's response says so. If another target has claimed it
 * by its looks, takes that claim over, and stores a task that corrects the other target. Idempotent.
 *
 * @param now epoch milliseconds
 * @returns false if another target has made the post for certain, too
 */
export async function claimForCertain(table: Table, record: LivePostRecord, now: number): Promise<boolean> {
  const { set, if: condition } = claim(record);
  const update = { set: { ...set, isCertain: true }, if: condition };
  for (let attempt = 1; attempt <= claimAttempts; attempt += 1) {
    const { written, item } = await updateItem(table, keyOf(record), update);
    if (written) return true;
    if (item === undefined) continue;
    if (item['isCertain'] === true) return false;
    const disproved = { ...ownerFrom(item), ...platformPostOf(record) };
    const { workspaceId, postId } = disproved;
    const task = repairTaskItem({ kind: 'disproved claim', livePost: disproved }, now, 0);
    const outcome = await transact(table, [
      updatePart(table, keyOf(record), { ...update, if: { workspaceId, postId, isCertain: absent } }),
      putPart(table, task, unconditionally),
    ]);
    if (outcome.committed) return true;
  }
  return false;
}

const platformPostOf = ({ platform, platformPostId }: PlatformPost): PlatformPost => ({
  platform,
  platformPostId,
});

const ownerFrom = (item: Record<string, unknown>): LivePostOwner => ({
  workspaceId: String(item['workspaceId']),
  postId: String(item['postId']),
  accountId: String(item['accountId']),
});

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
  return item && ownerFrom(item);
}
