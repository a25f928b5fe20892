import { dayMs, secondMs } from '../../kernel/clock.ts';
import type { Retention } from '../../table/retention.ts';
import type { Table } from '../../table/table.ts';
import { setLivePostExpiry } from '../../targets/live-posts.ts';
import type { Target } from '../../targets/schemas.ts';
import { isSettled } from '../../targets/state.ts';
import { setExpiry } from '../../targets/store.ts';
import { livePartsOf, platformPostIdsOf } from '../../targets/thread.ts';
import type { Post } from './schemas.ts';
import type { PostWithTargets } from './store.ts';

/**
 * Returns the expiry of a post: the retention time after its last target went live or failed. Drafts and posts with a waiting
 * target never expire. Pure.
 *
 * @returns epoch seconds; `undefined` if the post is kept
 */
export function expiryOf(
  { post, targets }: PostWithTargets,
  { posts: days }: Pick<Retention, 'posts'>,
): number | undefined {
  if (days === undefined || targets.length === 0) return undefined;
  if (!targets.every(({ status }) => isSettled(status))) return undefined;
  const settledMs = Math.max(...targets.map((target) => Date.parse(settledAt(target, post))));
  return Math.ceil((settledMs + days * dayMs) / secondMs);
}

/**
 * Returns the time at which a target was settled. For one that has failed, wholly or in part, `dueAt` is the time of its failure. An
 * earlier release did not store it.
 */
const settledAt = (target: Target, post: Post): string => {
  const { dueAt, scheduledFor } = target;
  const latestPart = livePartsOf(target).at(-1);
  const failedAt = target.status === 'partial' ? dueAt : undefined;
  return failedAt ?? latestPart?.publishedAt ?? dueAt ?? scheduledFor ?? post.updatedAt;
};

/**
 * Gives the targets of a post, and what belongs to them, the post's own time of expiry, so that TTL removes all of it or none. Skips
 * items that have changed since they were read: that change causes another roll-up.
 *
 * @param expiresAtSeconds `undefined`: they are kept
 */
export async function expireTogether(
  table: Table,
  { targets }: Pick<PostWithTargets, 'targets'>,
  expiresAtSeconds: number | undefined,
): Promise<void> {
  const different = targets.filter((target) => target.expiresAtSeconds !== expiresAtSeconds);
  await Promise.all(
    different.map(async (target) => {
      const { platform, workspaceId, postId, accountId } = target;
      const owner = { platform, workspaceId, postId, accountId };
      for (const platformPostId of platformPostIdsOf(target))
        await setLivePostExpiry(table, { ...owner, platformPostId }, expiresAtSeconds);
      // This comes last: its difference shows that there is still work to do.
      await setExpiry(table, target, expiresAtSeconds);
    }),
  );
}
