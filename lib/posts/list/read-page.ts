import { sha256 } from '../../kernel/ids.ts';
import { batchGet, batchGetLimit } from '../../table/batch-get.ts';
import type { Item } from '../../table/items.ts';
import {
  externalIdKey,
  externalIdPrefix,
  postAtRiskKey,
  postAtRiskPrefix,
  postIdOf,
  postKey,
  risksPartition,
  targetKey,
} from '../../table/keys.ts';
import { queryPage } from '../../table/query.ts';
import { readableItems } from '../../table/readable.ts';
import { indexes } from '../../table/schema.ts';
import type { Table } from '../../table/table.ts';
import { withWords } from '../search/find.ts';
import { Post } from '../stored/schemas.ts';
import { type ListPlan, planPostList } from './plan.ts';

export interface PostPage {
  /** The posts. They may be more than the limit if the plan narrows what it reads. */
  readonly posts: Post[];
  /** The position of the last item read, whether it passed the filter or not; `undefined` at the end. */
  readonly lastPosition: string | undefined;
}

/** The number of posts that are read at once if each must have some words, which are in three batches of rows. */
const searchedAtOnce = 3 * batchGetLimit;

/**
 * Reads one page of a list with one Query. Reads `limit` posts or, if the plan narrows them, up to 1 MB of them (DynamoDB,
 * "Filter expressions for the Query operation"). The index of accounts' posts has only their ids, so it takes a query per account, and a
 * batch then reads at most 100 posts.
 *
 * @param page.after the position after which the page begins
 */
export async function readPostPage(
  table: Table,
  workspaceId: string,
  plan: ListPlan,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<PostPage> {
  const { index, partition, sort, isDescending, filter, isNarrowedAfterwards, ofAccounts, search } = plan;
  if (ofAccounts) return readPostsOfAccounts(table, workspaceId, { ...plan, ofAccounts }, { limit, after });
  const isNarrowed = filter !== undefined || isNarrowedAfterwards;
  const { items, lastKey } = await queryPage(table, {
    partition,
    index,
    descending: isDescending,
    ...(sort && { sort }),
    limit: search ? searchedAtOnce : isNarrowed ? undefined : limit,
    filter,
    after: after === undefined ? undefined : startKey(workspaceId, plan, after),
  });
  const posts = readableItems(table, items, (item) => Post.parse(item)).filter(plan.matches);
  return {
    posts: await searched(table, workspaceId, posts, plan),
    lastPosition: lastKey && positionOfKey(plan, lastKey),
  };
}

/** Reads the lists of some accounts side by side. Each gives as many ids as a page can need, so the newest of all fill the page. */
async function readPostsOfAccounts(
  table: Table,
  workspaceId: string,
  { index, ofAccounts, matches }: ListPlan & Required<Pick<ListPlan, 'ofAccounts'>>,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<PostPage> {
  const pageSize = Math.min(limit, batchGetLimit);
  const lists = await Promise.all(
    ofAccounts.map(({ accountId, partition }) =>
      queryPage(table, {
        partition,
        index,
        descending: true,
        limit: pageSize,
        after:
          after === undefined
            ? undefined
            : {
                [index.partitionKey]: partition,
                [index.sortKey]: after,
                ...targetKey(workspaceId, after, accountId),
              },
      }),
    ),
  );
  const all = lists.flatMap(({ items }) => items.map(({ createdKey }) => String(createdKey)));
  const ids = [...new Set(all)].sort().reverse();
  const keys = ids.slice(0, pageSize).map((id) => postKey(workspaceId, id));
  const found = await batchGet(table, keys);
  const read = keys.map((key) => found.get(key)).filter((item) => item !== undefined);
  const hasMore = ids.length > pageSize || lists.some(({ lastKey }) => lastKey !== undefined);
  return {
    posts: readableItems(table, read, (item) => Post.parse(item)).filter(matches),
    lastPosition: hasMore ? ids[Math.min(pageSize, ids.length) - 1] : undefined,
  };
}

/**
 * Returns a page of the posts that have an external id, newest first, strongly consistent: one query for their ids and one batch
 * for the posts (at most 100).
 *
 * @param plan the further conditions that the posts must match
 * @param page.after the id of the last post of the previous page
 */
export async function findPostsByExternalId(
  table: Table,
  workspaceId: string,
  plan: Pick<ListPlan, 'matches' | 'search'>,
  page: { readonly externalId: string; readonly limit: number; readonly after?: string | undefined },
): Promise<PostPage> {
  const { externalId, limit, after } = page;
  const digest = sha256(externalId);
  const { items, lastKey } = await queryPage(table, {
    partition: externalIdKey(workspaceId, digest, '').pk,
    sort: { beginsWith: externalIdPrefix },
    descending: true,
    limit: Math.min(limit, batchGetLimit),
    after: after === undefined ? undefined : externalIdKey(workspaceId, digest, after),
  });
  const keys = items.map(({ postId }) => postKey(workspaceId, String(postId)));
  const found = await batchGet(table, keys);
  const stored = keys.map((key) => found.get(key)).filter((item) => item !== undefined);
  const posts = readableItems(table, stored, (item) => Post.parse(item));
  const lastPosition = lastKey === undefined ? undefined : String(items.at(-1)?.['postId']);
  // A concurrent change may have given a post another external id between the two requests.
  const matching = posts.filter((post) => post.externalId === externalId && plan.matches(post));
  return { posts: await searched(table, workspaceId, matching, plan), lastPosition };
}

/**
 * Returns a page of the posts at risk, newest first: one query for their ids and one batch for the posts (at most 100). The list of
 * ids may name posts that are no longer at risk, which are left out.
 *
 * @param plan the conditions that the posts must match
 * @param page.after the id of the last post of the previous page
 */
export async function findPostsAtRisk(
  table: Table,
  workspaceId: string,
  plan: Pick<ListPlan, 'matches' | 'search'>,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<PostPage> {
  const { items, lastKey } = await queryPage(table, {
    partition: risksPartition(workspaceId),
    sort: { beginsWith: postAtRiskPrefix },
    descending: true,
    limit: Math.min(limit, batchGetLimit),
    after: after === undefined ? undefined : postAtRiskKey(workspaceId, after),
  });
  const keys = items.map(({ postId }) => postKey(workspaceId, String(postId)));
  const found = await batchGet(table, keys);
  const stored = keys.map((key) => found.get(key)).filter((item) => item !== undefined);
  const posts = readableItems(table, stored, (item) => Post.parse(item));
  const lastPosition = lastKey === undefined ? undefined : String(items.at(-1)?.['postId']);
  return { posts: await searched(table, workspaceId, posts.filter(plan.matches), plan), lastPosition };
}

const searched = async (
  table: Table,
  workspaceId: string,
  posts: Post[],
  { search }: Pick<ListPlan, 'search'>,
): Promise<Post[]> => (search ? withWords(table, workspaceId, posts, search) : posts);

/**
 * Returns a page of all posts of a workspace, newest first, with one request.
 *
 * @returns `lastPostId`: the id of the last post read; the next page starts after it
 */
export async function queryPosts(
  table: Table,
  workspaceId: string,
  { limit, afterPostId }: { limit: number; afterPostId?: string | undefined },
): Promise<{ readonly posts: Post[]; readonly lastPostId: string | undefined }> {
  const plan = planPostList(workspaceId, {});
  const { posts, lastPosition } = await readPostPage(table, workspaceId, plan, { limit, after: afterPostId });
  return { posts, lastPostId: lastPosition };
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
function startKey(workspaceId: string, { index, partition }: ListPlan, position: string): Item {
  const [time = '', id = ''] = index === indexes.postsByTime ? position.split('#') : [position, position];
  return { [index.partitionKey]: partition, [index.sortKey]: time, ...postKey(workspaceId, id) };
}
