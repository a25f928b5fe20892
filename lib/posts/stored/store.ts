import { absent, either, lessThan } from '../../table/condition.ts';
import type { Item } from '../../table/items.ts';
import { dueShard, idempotencyKey, postKey } from '../../table/keys.ts';
import { queryAll } from '../../table/query.ts';
import type { Table } from '../../table/table.ts';
import { putPart, type TransactionItems } from '../../table/transaction.ts';
import { targetFromItem, targetItem } from '../../targets/item.ts';
import type { Target } from '../../targets/schemas.ts';
import { externalIdItems } from './external-id-items.ts';
import { listKeysOf } from './list-keys.ts';
import { Post } from './schemas.ts';

/** The contents of an idempotency record in addition to the id of its post. */
export interface IdempotencyUse {
  /** The expiry of the record, in epoch seconds. */
  readonly expiresAtSeconds: number;
  /** The digest of the request's body; see `bodyDigestOf`. Records of earlier releases have none. */
  readonly bodyDigest?: string;
}

/** The days for which an idempotency key is remembered. */
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
  const found = await findPostAsStored(table, workspaceId, postId);
  return found && { post: found.post, targets: found.targets };
}

/** Returns the result of {@link findPost} with the item of the post, which also has the keys of its indexes. */
export async function findPostAsStored(
  table: Table,
  workspaceId: string,
  postId: string,
): Promise<(PostWithTargets & { readonly item: Item }) | undefined> {
  const items = await queryAll(table, { partition: postKey(workspaceId, postId).pk });
  const item = items.find(({ kind }) => kind === 'post');
  return (
    item && {
      item,
      post: Post.parse(item),
      targets: items.filter(({ kind }) => kind === 'target').map(targetFromItem),
    }
  );
}

/** Returns the ids of all files to which a post, its destinations and its chain refer. */
export function filesOf({ post, targets }: PostWithTargets): ReadonlySet<string> {
  const references = [
    ...post.mediaItems,
    ...(post.cover ? [post.cover] : []),
    ...targets.flatMap(({ mediaItems = [], thread = [] }) => [
      ...mediaItems,
      ...thread.flatMap((part) => part.mediaItems),
    ]),
    ...(post.chain ?? []).flatMap(({ mediaItems = [] }) => mediaItems),
  ];
  return new Set(references.map(({ mediaId }) => mediaId));
}

/** Returns the item of a planned post. Only a roll-up lets it expire. */
export function postItem({ expiresAtSeconds: _expiry, ...post }: Post): Record<string, unknown> {
  return {
    ...postKey(post.workspaceId, post.id),
    kind: 'post',
    ...post,
    ...listKeysOf(post),
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
  const puts = [
    ...[postItem(post), ...targets.map(targetItem)].map((item) => putPart(table, item, { pk: absent })),
    ...externalIdItems(table, undefined, post),
  ];
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
