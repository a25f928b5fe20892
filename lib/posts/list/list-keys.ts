import type { Item } from '../../table/items.ts';
import { type StatusGroup, scheduledKey, statusList, workspaceList } from '../../table/keys.ts';
import type { PostStatus } from '../../targets/state.ts';
import type { Post } from '../schemas.ts';

/** The attributes of a post's item by which lists find it. An absent one keeps the post out of its index. */
export interface ListKeys {
  /** With `createdKey` its key in `posts-newest-first`, with `scheduledKey` that in `posts-by-time`. */
  readonly workspaceList: string;
  readonly createdKey: string;
  readonly scheduledKey: string | undefined;
  /** With `createdKey` its key in `posts-by-status`. */
  readonly statusList: string | undefined;
  /** For filters, without duplicates. */
  readonly accountIds: readonly string[];
  readonly platforms: readonly string[];
}

type Listed = Pick<Post, 'id' | 'workspaceId' | 'status' | 'scheduledFor' | 'targets'>;

/** Derives the attributes by which lists find a post. Pure. */
export function listKeysOf(post: Listed): ListKeys {
  const { id, workspaceId, scheduledFor, targets } = post;
  const group = statusGroup(post);
  return {
    workspaceList: workspaceList(workspaceId),
    createdKey: id,
    scheduledKey: scheduledFor === undefined ? undefined : scheduledKey(scheduledFor, id),
    statusList: group && statusList(workspaceId, group),
    accountIds: unique(targets.map(({ accountId }) => accountId)),
    platforms: unique(targets.map(({ platform }) => platform)),
  };
}

type Settled = Pick<Post, 'status' | 'targets'>;

/** The statuses of posts that need attention. Some posts with the status `publishing` do too. */
export const attentionStatuses: readonly PostStatus[] = ['failed', 'partial'];

/**
 * Whether somebody should look at a post: a destination has failed, also if its outcome is unknown, or only a part of it is
 * live. Pure.
 */
export const needsAttention = (post: Settled): boolean => statusGroup(post) === 'attention';

/** A post that is on its way, or live everywhere, is in no group. */
function statusGroup({ status, targets }: Settled): StatusGroup | undefined {
  if (status === 'draft' || status === 'scheduled') return status;
  const all = [status, ...targets.map((target) => target.status)];
  return all.some((each) => attentionStatuses.includes(each)) ? 'attention' : undefined;
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)];

/** Returns the list attributes of a stored item. An item of an earlier release may lack some. */
export function listKeysIn(item: Item): Item {
  const { workspaceList, createdKey, scheduledKey, statusList, accountIds, platforms } = item;
  return { workspaceList, createdKey, scheduledKey, statusList, accountIds, platforms };
}
