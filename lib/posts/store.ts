import { batchGet, batchGetLimit } from '../table/batch-get.ts';
import { absent, either, lessThan } from '../table/condition.ts';
import { accountList, dueShard, idempotencyKey, postKey, statusList, workspaceList } from '../table/keys.ts';
import { queryAll, queryPage } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import { indexes } from '../table/schema.ts';
import type { Table } from '../table/table.ts';
import { putPart, type TransactionItems } from '../table/transaction.ts';
import { targetFromItem, targetItem } from '../targets/item.ts';
import type { Target } from '../targets/schemas.ts';
import type { PostStatus } from '../targets/state.ts';
import { Post } from './schemas.ts';

/** What an idempotency record keeps besides the id of its post. */
export interface IdempotencyUse {
  /** When the record expires, in epoch seconds. */
  readonly expiresAtSeconds: number;
  /** Of the request's body; see `bodyDigestOf`. Records of earlier releases have none. */
  readonly bodyDigest?: string;
}

/** How long an idempotency key is remembered. */
export const idempotencyDays = 30;

export interface PostWithTargets {
  readonly post: Post;
  readonly targets: Target[];
}

/** Returns a post with its targets from one strongly consistent query; `undefined` for an unknown or foreign id. */
export async function findPost(
  table: Table,
  workspaceId: string,
  postId: string,
): Promise<PostWithTargets | undefined> {
  const items = await queryAll(table, { partition: postKey(workspaceId, postId).pk });
  const post = items.find(({ kind }) => kind === 'post');
  return (
    post && {
      post: Post.parse(post),
      targets: items.filter(({ kind }) => kind === 'target').map(targetFromItem),
    }
  );
}

export function postItem(post: Post): Record<string, unknown> {
  return {
    ...postKey(post.workspaceId, post.id),
    kind: 'post',
    ...post,
    workspaceList: workspaceList(post.workspaceId),
    statusList: statusList(post.workspaceId, post.status),
    createdKey: post.id,
    ...(post.chainWakeAt && { dueAt: post.chainWakeAt, dueShard: dueShard(post.id) }),
  };
}

/**
 * Returns the writes that create a post. The idempotency record comes first, so index 0 of a failure means a replay.
 *
 * @param use needed if the post has a key
 */
export function insertPostItems(
  table: Table,
  { post, targets }: PostWithTargets,
  { expiresAtSeconds, bodyDigest }: IdempotencyUse = { expiresAtSeconds: 0 },
): TransactionItems {
  const puts = [postItem(post), ...targets.map(targetItem)].map((item) =>
    putPart(table, item, { pk: absent }),
  );
  if (post.idempotencyDigest === undefined) return puts;
  const record = {
    ...idempotencyKey(post.workspaceId, post.idempotencyDigest),
    kind: 'idempotency',
    postId: post.id,
    expiresAtSeconds,
    ...(bodyDigest !== undefined && { bodyDigest }),
  };
  const nowSeconds = expiresAtSeconds - idempotencyDays * 86_400;
  // DynamoDB may take days to remove an expired record.
  const isFree = { [either]: [{ pk: absent }, { expiresAtSeconds: lessThan(nowSeconds) }] };
  return [putPart(table, record, isFree, { returnOld: true }), ...puts];
}

export interface PostPage {
  readonly posts: Post[];
  /** The id of the last post that was read; the next page starts after it. */
  readonly lastPostId: string | undefined;
}

/** Returns a page of posts, newest first, with one request. */
export async function queryPosts(
  table: Table,
  workspaceId: string,
  options: { status?: PostStatus | undefined; limit: number; afterPostId?: string | undefined },
): Promise<PostPage> {
  const index = options.status ? indexes.postsByStatus : indexes.postsNewestFirst;
  const partition = options.status ? statusList(workspaceId, options.status) : workspaceList(workspaceId);
  const { items, lastPostId } = await queryNewestFirst(table, index, partition, workspaceId, options);
  return { posts: readableItems(table, items, (item) => Post.parse(item)), lastPostId };
}

/** Returns an account's posts, newest first. An index returns their ids, and one batch reads the posts (at most 100). */
export async function queryPostsOfAccount(
  table: Table,
  workspaceId: string,
  options: {
    accountId: string;
    status?: PostStatus | undefined;
    limit: number;
    afterPostId?: string | undefined;
  },
): Promise<PostPage> {
  const { items: targets, lastPostId } = await queryNewestFirst(
    table,
    indexes.targetsByAccount,
    accountList(workspaceId, options.accountId),
    workspaceId,
    { ...options, limit: Math.min(options.limit, batchGetLimit), targetOf: options.accountId },
  );
  const keys = targets.map(({ createdKey }) => postKey(workspaceId, String(createdKey)));
  const found = await batchGet(table, keys);
  const items = keys.map((key) => found.get(key)).filter((item) => item !== undefined);
  const posts = readableItems(table, items, (item) => Post.parse(item));
  return { posts: posts.filter(({ status }) => !options.status || status === options.status), lastPostId };
}

async function queryNewestFirst(
  table: Table,
  index: (typeof indexes)[keyof typeof indexes],
  partition: string,
  workspaceId: string,
  options: { limit: number; afterPostId?: string | undefined; targetOf?: string },
) {
  const { afterPostId, targetOf } = options;
  const after =
    afterPostId === undefined
      ? undefined
      : {
          [index.partitionKey]: partition,
          [index.sortKey]: afterPostId,
          pk: postKey(workspaceId, afterPostId).pk,
          sk: targetOf === undefined ? 'POST' : `TARGET#${targetOf}`,
        };
  const { items, lastKey } = await queryPage(table, {
    partition,
    index,
    descending: true,
    limit: options.limit,
    after,
  });
  const last = lastKey?.[index.sortKey];
  return { items, lastPostId: last === undefined ? undefined : String(last) };
}
