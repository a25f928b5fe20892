import type { Context } from '../api-contract/context.ts';
import { auditPart } from '../audit/record.ts';
import { dayMs } from '../kernel/clock.ts';
import { HeraldError } from '../kernel/errors.ts';
import { unconditionally } from '../table/condition.ts';
import { idempotencyKey, postKey, targetKey } from '../table/keys.ts';
import { deletePart } from '../table/transaction.ts';
import { requireBeyondDrafts } from './approval/beyond-drafts.ts';
import { readPost } from './read.ts';
import { commitPost } from './stored/commit-post.ts';
import { externalIdItems } from './stored/external-id-items.ts';
import { type Post, subjectOf } from './stored/schemas.ts';
import { idempotencyDays, type PostWithTargets } from './stored/store.ts';

const maxAttempts = 5;

/**
 * Deletes a draft, a scheduled or a failed post, with its targets, their times on the calendars, its idempotency record and the
 * entry of its external id. A worker that holds a target's lease then cannot commit, and a wake that still fires finds nothing to
 * publish.
 *
 * @throws HeraldError `not_found`; `permission_missing` if the post is no draft and the actor may only draft; `conflict` while it is being published or once something is live
 */
export async function removePost(context: Context, postId: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const found = await readPost(context, postId);
    if (found.post.status !== 'draft') await requireBeyondDrafts(context);
    requireRemovable(found);
    const { table, workspaceId } = context;
    const { post, targets } = found;
    const items = [
      deletePart(table, postKey(workspaceId, postId), { version: post.version }),
      ...targets.map(({ accountId, status }) =>
        deletePart(table, targetKey(workspaceId, postId, accountId), { status }),
      ),
      ...(ownsIdempotencyRecord(post, context.now)
        ? [deletePart(table, idempotencyKey(workspaceId, post.idempotencyDigest), unconditionally)]
        : []),
      ...externalIdItems(table, post, undefined),
    ];
    const audit = [auditPart(context, subjectOf(post))];
    const outcome = await commitPost(table, context.now, { items, audit, before: found });
    if (outcome.committed) return;
    if (attempt === maxAttempts)
      throw new HeraldError('changed_concurrently', 'the post is being changed at the same time; try again');
  }
}

/**
 * Returns true if the post still has its idempotency record. Once the record has expired, another post may have taken the key.
 */
function ownsIdempotencyRecord(post: Post, now: number): post is Post & { idempotencyDigest: string } {
  return post.idempotencyDigest !== undefined && now < Date.parse(post.createdAt) + idempotencyDays * dayMs;
}

function requireRemovable({ targets }: PostWithTargets): void {
  const statuses = targets.map(({ status }) => status);
  if (statuses.includes('publishing'))
    throw new HeraldError('post_publishing', 'the post is being published');
  const isLive = statuses.includes('published') || statuses.includes('partial');
  if (isLive) throw new HeraldError('post_live', 'the post is live and cannot be deleted here');
}
