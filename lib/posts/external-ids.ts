import type { Context } from '../api-contract/context.ts';
import { HeraldError } from '../kernel/errors.ts';
import { sha256 } from '../kernel/ids.ts';
import { batchGet, batchGetLimit } from '../table/batch-get.ts';
import { externalIdKey, externalIdPrefix, postKey } from '../table/keys.ts';
import { queryPage, queryPages } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import { isExpired } from '../table/retention.ts';
import type { Table } from '../table/table.ts';
import type { Refusal } from '../table/transaction.ts';
import { claimOf, isClaimRefused } from './external-id-items.ts';
import type { ListPlan } from './list/plan.ts';
import type { PostPage } from './list/read-page.ts';
import { Post } from './schemas.ts';
import { findPost, type PostWithTargets } from './store.ts';
import { seesPost } from './visible.ts';

/**
 * Checks that no other post has the external id that a post will claim. Strongly consistent: it finds every post that was stored
 * before the call. If claims run at the same time, the transaction lets one through.
 *
 * @param after the post as it will be stored
 * @param before the post as it was read; absent for a new one
 * @throws HeraldError `external_id_taken`
 */
export async function requireFreeExternalId(context: Context, after: Post, before?: Post): Promise<void> {
  const claim = claimOf(after);
  if (!claim || (before && claimOf(before)?.pk === claim.pk)) return;
  const holder = await newestHolder(context, claim.pk, after.id);
  if (!holder) return;
  const { idempotencyDigest } = holder.post;
  // The same request was sent twice: the record of its idempotency key decides.
  if (idempotencyDigest !== undefined && idempotencyDigest === after.idempotencyDigest) return;
  throw externalIdTaken(context, holder);
}

/** Returns the newest post that has an external id, other than the given post and expired ones; `undefined` if there is none. */
async function newestHolder(
  { table, workspaceId, now }: Context,
  partition: string,
  exceptId: string,
): Promise<PostWithTargets | undefined> {
  const sort = { beginsWith: externalIdPrefix };
  for await (const items of queryPages(table, { partition, sort, descending: true, limit: 2 }))
    for (const item of items) {
      const postId = String(item['postId']);
      if (postId === exceptId || isExpired(item, now)) continue;
      const holder = await findPost(table, workspaceId, postId);
      if (holder && !isExpired(holder.post, now)) return holder;
    }
  return undefined;
}

/** Returns the error of a transaction that was refused because another post claims the external id, otherwise `undefined`. */
export async function claimError(context: Context, refusal: Refusal): Promise<HeraldError | undefined> {
  if (!isClaimRefused(refusal)) return undefined;
  const holderId = String(refusal.oldItem?.['postId']);
  return externalIdTaken(context, await findPost(context.table, context.workspaceId, holderId));
}

/** Returns the error, which names the post that has the external id only if the actor may see that post. */
function externalIdTaken({ actor }: Context, holder: PostWithTargets | undefined): HeraldError {
  const isVisible = holder && seesPost(actor, holder.post, holder.targets);
  const who = isVisible ? `the post ${holder.post.id}` : 'another post of the workspace';
  return new HeraldError('external_id_taken', `externalId: ${who} has it`, { param: 'externalId' });
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
  plan: Pick<ListPlan, 'matches'>,
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
  return { posts: matching, lastPosition };
}
