import type { Context } from '../api-contract/context.ts';
import { notFound } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { isExpired } from '../table/retention.ts';
import { findPost, type PostWithTargets } from './stored/store.ts';
import { seesPost } from './stored/visible.ts';

/**
 * Returns a post. Every operation on one post gets it from here.
 *
 * @throws HeraldError `not_found`, also for a foreign or expired post, and for one that the actor may not see ({@link seesPost})
 */
export async function readPost(context: Context, postId: string): Promise<PostWithTargets> {
  const found = isId(postId) ? await findPost(context.table, context.workspaceId, postId) : undefined;
  if (!found || isExpired(found.post, context.now) || !seesPost(context.actor, found.post, found.targets))
    throw notFound('post');
  return found;
}
