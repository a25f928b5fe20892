import { absent, either, unconditionally } from '../table/condition.ts';
import { getItem, putItem } from '../table/items.ts';
import { livePostKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, updatePart } from '../table/transaction.ts';

/** A live post, keyed by its id at the platform. */
export interface LivePostRecord {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly platformPostId: string;
  readonly postId: string;
}

/** Records which post a platform's id belongs to. Idempotent: a platform's ids never change owner. */
export async function noteLivePost(table: Table, record: LivePostRecord): Promise<void> {
  const key = livePostKey(record.workspaceId, record.accountId, record.platformPostId);
  await putItem(table, { ...key, kind: 'livePost', ...record }, unconditionally);
}

/**
 * Part of a transaction: claims a platform's post for a target. The transaction fails if another post of the workspace
 * has claimed it.
 */
export function livePostClaim(table: Pick<Table, 'name'>, record: LivePostRecord): TransactionItems[number] {
  const key = livePostKey(record.workspaceId, record.accountId, record.platformPostId);
  const isOurs = { [either]: [{ pk: absent }, { postId: record.postId }] };
  // An update, which creates the item too: the publishing function has no right to put items.
  return updatePart(table, key, { set: { kind: 'livePost', ...record }, if: isOurs });
}

/** Returns the id of the post behind a platform's id; `undefined` if it is not a post of this workspace. */
export async function findLivePost(
  table: Table,
  { workspaceId, accountId, platformPostId }: Omit<LivePostRecord, 'postId'>,
): Promise<string | undefined> {
  const item = await getItem(table, livePostKey(workspaceId, accountId, platformPostId));
  return item && String(item['postId']);
}
