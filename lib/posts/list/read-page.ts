import { batchGet, batchGetLimit } from '../../table/batch-get.ts';
import type { Item } from '../../table/items.ts';
import { type Key, postIdOf, postKey, targetKey } from '../../table/keys.ts';
import { queryPage } from '../../table/query.ts';
import { readableItems } from '../../table/readable.ts';
import { indexes } from '../../table/schema.ts';
import type { Table } from '../../table/table.ts';
import { Post } from '../schemas.ts';
import type { ListPlan } from './plan.ts';

export interface PostPage {
  /** The posts. They may be more than the limit if the plan narrows what it reads. */
  readonly posts: Post[];
  /** The position of the last item read, whether it passed the filter or not; `undefined` at the end. */
  readonly lastPosition: string | undefined;
}

/**
 * Reads one page of a list with one Query. Reads `limit` posts or, if the plan narrows them, up to 1 MB of them (DynamoDB,
 * "Filter expressions for the Query operation"). The index of an account's posts has only their ids, so a batch then reads at
 * most 100 posts.
 *
 * @param page.after the position after which the page begins
 */
export async function readPostPage(
  table: Table,
  workspaceId: string,
  plan: ListPlan,
  { limit, after, accountId }: { limit: number; after?: string | undefined; accountId?: string | undefined },
): Promise<PostPage> {
  const { index, partition, sort, isDescending, filter, isNarrowedAfterwards } = plan;
  const isNarrowed = filter !== undefined || isNarrowedAfterwards;
  const isOfAccount = index === indexes.targetsByAccount;
  const { items, lastKey } = await queryPage(table, {
    partition,
    index,
    descending: isDescending,
    ...(sort && { sort }),
    limit: isOfAccount ? Math.min(limit, batchGetLimit) : isNarrowed ? undefined : limit,
    filter,
    after: after === undefined ? undefined : startKey(workspaceId, plan, after, accountId),
  });
  const lastPosition = lastKey && positionOfKey(plan, lastKey);
  if (!isOfAccount) {
    const posts = readableItems(table, items, (item) => Post.parse(item));
    return { posts: posts.filter(plan.matches), lastPosition };
  }
  const keys = items.map(({ createdKey }) => postKey(workspaceId, String(createdKey)));
  const found = await batchGet(table, keys);
  const read = keys.map((key) => found.get(key)).filter((item) => item !== undefined);
  const posts = readableItems(table, read, (item) => Post.parse(item));
  return { posts: posts.filter(plan.matches), lastPosition };
}

/**
 * Returns a post's position in a list, which a cursor holds: its id or, if the list is by time, its time and its id.
 *
 * @param scheduledFor a timestamp; present if the list is by time
 */
export function positionOf(
  { index }: ListPlan,
  { id, scheduledFor }: Pick<Post, 'id' | 'scheduledFor'>,
): string {
  return index === indexes.postsByTime ? `${scheduledFor}#${id}` : id;
}

/** Returns the position of the item that has a key of the index. */
function positionOfKey(plan: ListPlan, key: Item): string {
  const id = postIdOf(String(key['pk']));
  return positionOf(plan, { id, scheduledFor: String(key[plan.index.sortKey]) });
}

/** Returns the whole key of the item at a position. */
function startKey(
  workspaceId: string,
  { index, partition }: ListPlan,
  position: string,
  accountId: string | undefined,
): Record<string, string> & Key {
  const [time = '', id = ''] = index === indexes.postsByTime ? position.split('#') : [position, position];
  const key = accountId === undefined ? postKey(workspaceId, id) : targetKey(workspaceId, id, accountId);
  return { [index.partitionKey]: partition, [index.sortKey]: time, ...key };
}
