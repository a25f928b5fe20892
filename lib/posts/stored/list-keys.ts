import type { Item } from '../../table/items.ts';
import { type StatusGroup, statusList, workspaceList } from '../../table/keys.ts';
import type { PostStatus } from '../../targets/state.ts';
import type { Post } from './schemas.ts';

/**
 * The attributes of a post's item that are only keys of indexes. An absent one keeps the post out of an index. The key of
 * `posts-by-time` needs none: it is `workspaceList` with the post's own `scheduledFor`.
 */
export interface ListKeys {
  /** Its partition key in `posts-newest-first`; `createdKey` is the sort key. */
  readonly workspaceList: string;
  readonly createdKey: string;
  /** Its partition key in `posts-by-status`; `createdKey` is the sort key. */
  readonly statusList: string | undefined;
}

type Listed = Pick<Post, 'id' | 'workspaceId' | 'status' | 'targets'>;

/** Derives the keys by which lists find a post. Pure. */
export function listKeysOf(post: Listed): ListKeys {
  const { id, workspaceId } = post;
  const group = statusGroup(post);
  return {
    workspaceList: workspaceList(workspaceId),
    createdKey: id,
    statusList: group && statusList(workspaceId, group),
  };
}

type Settled = Pick<Post, 'status' | 'targets'>;

/** The statuses of posts that need attention. Some posts with the status `publishing` do too. */
export const attentionStatuses: readonly PostStatus[] = ['failed', 'partial'];

/**
 * Returns true if somebody should look at a post: a destination has failed, also with an unknown outcome, or only a part of it is
 * live. Pure.
 */
export const needsAttention = (post: Settled): boolean => statusGroup(post) === 'attention';

/** Returns the group of a post. A post that is on its way, or live everywhere, is in no group. */
function statusGroup({ status, targets }: Settled): StatusGroup | undefined {
  if (status === 'draft' || status === 'scheduled') return status;
  const all = [status, ...targets.map((target) => target.status)];
  return all.some((each) => attentionStatuses.includes(each)) ? 'attention' : undefined;
}

/** Returns these attributes of a stored item. An item of an earlier release may have another `statusList`. */
export function listKeysIn({ workspaceList, createdKey, statusList }: Item): Item {
  return { workspaceList, createdKey, statusList };
}
