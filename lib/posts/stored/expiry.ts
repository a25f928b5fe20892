import { dayMs, secondMs } from '../../kernel/clock.ts';
import { updateItem } from '../../table/items.ts';
import type { Retention } from '../../table/retention.ts';
import type { Table } from '../../table/table.ts';
import { removingUndefined } from '../../table/update.ts';
import { setLivePostExpiry } from '../../targets/live-posts.ts';
import type { Target } from '../../targets/schemas.ts';
import { isSettled } from '../../targets/state.ts';
import { setExpiry } from '../../targets/store.ts';
import { platformPostIdsOf } from '../../targets/thread.ts';
import { externalIdKeys } from './external-id-items.ts';
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
 * Returns the time at which a target was settled. For a failed target, `dueAt` is the time of its failure. An earlier release did
 * not store it.
 */
const settledAt = ({ publishedAt, dueAt, scheduledFor }: Target, post: Post): string =>
  publishedAt ?? dueAt ?? scheduledFor ?? post.updatedAt;

/**
 * Gives everything that belongs to a post the post's own time of expiry, so that TTL removes all of it or none. Skips items that
 * have changed since they were read: that change causes another roll-up.
 *
 * @param expiresAtSeconds `undefined`: they are kept
 * @param isRepeated true if an earlier try may have given them another time, before an edit came in between
 */
export async function expireTogether(
  table: Table,
  { post, targets }: PostWithTargets,
  expiresAtSeconds: number | undefined,
  isRepeated = false,
): Promise<void> {
  const different = targets.filter((target) => target.expiresAtSeconds !== expiresAtSeconds);
  const isKnown = post.expiresAtSeconds === expiresAtSeconds && !isRepeated;
  const labels = isKnown ? [] : externalIdKeys(post);
  const set = removingUndefined({ expiresAtSeconds });
  await Promise.all([
    ...different.map(async (target) => {
      const { platform, workspaceId, postId, accountId } = target;
      const owner = { platform, workspaceId, postId, accountId };
      for (const platformPostId of platformPostIdsOf(target))
        await setLivePostExpiry(table, { ...owner, platformPostId }, expiresAtSeconds);
      // This comes last: its difference shows that there is still work to do.
      await setExpiry(table, target, expiresAtSeconds);
    }),
    ...labels.map((key) => updateItem(table, key, { set, if: { postId: post.id } })),
  ]);
}
