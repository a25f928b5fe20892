import type { Context } from '../../api-contract/context.ts';
import { HeraldError } from '../../kernel/errors.ts';
import { externalIdPrefix } from '../../table/keys.ts';
import { queryPages } from '../../table/query.ts';
import { isExpired } from '../../table/retention.ts';
import type { Refusal } from '../../table/transaction.ts';
import { claimOf, isClaimRefused } from './external-id-items.ts';
import type { Post } from './schemas.ts';
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
