import { minuteMs } from '../../kernel/clock.ts';
import type { MediaUsage } from '../../media/retention/usage.ts';
import type { MediaReference } from '../../media/schemas.ts';
import { batchGet, batchGetLimit } from '../../table/batch-get.ts';
import type { Item } from '../../table/items.ts';
import { mediaUsesPartition, postKey } from '../../table/keys.ts';
import { queryPage } from '../../table/query.ts';
import { isUnreadable, reportUnreadable } from '../../table/readable.ts';
import { isExpired } from '../../table/retention.ts';
import type { Table } from '../../table/table.ts';
import { isLive } from '../../targets/state.ts';
import { livePartsOf, type Threaded } from '../../targets/thread.ts';
import { Post } from './schemas.ts';
import { findPost, type PostWithTargets } from './store.ts';

/** The maximum number of pages of posts to check, newest first; {@link batchGetLimit} posts each. */
const maxPages = 10;

/** The time within which a post follows a use that was written before it. Later, it never does. */
const aheadMs = 2 * minuteMs;

/**
 * Finds the uses of a file in the posts that refer to it, strongly consistent. Stops at the first post that has yet to publish
 * the file.
 *
 * @param now epoch milliseconds
 */
export async function findMediaUsage(
  table: Table,
  { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
  now: number,
): Promise<MediaUsage> {
  let usage: MediaUsage = {};
  let after: Item | undefined;
  const uses = { partition: mediaUsesPartition(workspaceId, id), descending: true, limit: batchGetLimit };
  for (let pages = 0; pages < maxPages; pages += 1) {
    const { items, lastKey } = await queryPage(table, { ...uses, after });
    const posts = await batchGet(
      table,
      items.map(({ postId }) => postKey(workspaceId, String(postId))),
    );
    for (const { postId, writtenAt } of items) {
      const item = posts.get(postKey(workspaceId, String(postId)));
      const isAhead = writtenAt !== undefined && Date.parse(String(writtenAt)) > now - aheadMs;
      const found = isAhead
        ? { scheduledPostId: String(postId) }
        : item &&
          !isExpired(item, now) && { isReferredTo: true as const, ...(await usageByItem(table, item, id)) };
      usage = joinUsages(usage, found || {});
      if (usage.scheduledPostId !== undefined) return usage;
    }
    if (!lastKey) return usage;
    after = lastKey;
  }
  return { ...usage, isTooMany: true };
}

function joinUsages(left: MediaUsage, right: MediaUsage): MediaUsage {
  const times = [left.publishedAt, right.publishedAt].filter((time) => time !== undefined).sort();
  const publishedAt = times.at(-1);
  return { ...left, ...right, ...(publishedAt !== undefined && { publishedAt }) };
}

/**
 * Returns the use by a stored post. A post that cannot be read may need the file, so it counts as one that does. It is reported
 * to operators.
 */
async function usageByItem(table: Table, item: Item, mediaId: string): Promise<MediaUsage> {
  try {
    return await usageBy(table, Post.parse(item), mediaId);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    reportUnreadable(table, item, error);
    return { scheduledPostId: String(item['id']) };
  }
}

/**
 * Returns the use by a post. A post's item lags behind its targets, so it is enough only if all targets are published and no step
 * waits.
 */
async function usageBy(table: Table, post: Post, mediaId: string): Promise<MediaUsage> {
  const isOver = post.status === 'published' && !post.chain?.some(({ status }) => status === 'waiting');
  if (isOver) {
    const publishedAt = latest(post.targets);
    return publishedAt === undefined ? {} : { publishedAt };
  }
  const found = await findPost(table, post.workspaceId, post.id);
  return found ? usageByPost(found, mediaId) : {};
}

/** Returns the use that a post has for a file. Pure. */
function usageByPost({ post, targets }: PostWithTargets, mediaId: string): MediaUsage {
  const isIt = (reference: MediaReference | undefined) => reference?.mediaId === mediaId;
  const isOwn = post.mediaItems.some(isIt) || isIt(post.cover);
  const users = targets.filter(
    ({ mediaItems, thread = [] }) =>
      (mediaItems ?? post.mediaItems).some(isIt) ||
      thread.some((part) => part.mediaItems.some(isIt)) ||
      isIt(post.cover),
  );
  const isChained = (post.chain ?? []).some(
    ({ kind, status, mediaItems = [] }) =>
      status === 'waiting' && (kind === 'crossPost' ? isOwn : mediaItems.some(isIt)),
  );
  const isDraft = targets.every(({ status }) => status === 'draft');
  const isFailed = !isDraft && targets.every(({ status }) => status === 'failed');
  // A live target may still need the file, for example for a thumbnail.
  const isBusy = users.some(({ status, wakeAt }) => status === 'publishing' || wakeAt !== undefined);
  const publishedAt = latest(users.filter(({ status }) => isLive(status)));
  const isNeeded = isBusy || (isChained && !isDraft && !isFailed);
  return {
    ...(isNeeded && { scheduledPostId: post.id }),
    ...(isDraft && (isOwn || isChained || users.length > 0) && { draftPostId: post.id }),
    ...(publishedAt !== undefined && { publishedAt }),
  };
}

/** Returns the time at which a post of these targets, be it a part of a thread, last went live, as a timestamp. */
function latest(targets: readonly Threaded[]): string | undefined {
  return targets
    .flatMap((target) => livePartsOf(target).at(-1)?.publishedAt ?? [])
    .sort()
    .at(-1);
}
