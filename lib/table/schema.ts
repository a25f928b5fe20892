/**
 * The shape of the one table: its key attributes and indexes. Used by the code that reads the table and by the stack that creates
 * it. Each index is named after the question it answers. `keys.ts` lists the items and their keys, and `patterns.md` every access
 * pattern.
 */

export interface IndexShape {
  readonly indexName: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** `KEYS_ONLY` if the reader then reads by key. Changes of an item's other attributes then do not write to the index. */
  readonly projection: 'ALL' | 'KEYS_ONLY';
}

export const tableShape = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds after which DynamoDB may delete the item. Readers treat it as gone from that second on. */
  timeToLive: 'expiresAtSeconds',
} as const;

export const indexes = {
  /** The posts of a workspace, newest first. */
  postsNewestFirst: {
    indexName: 'posts-newest-first',
    partitionKey: 'workspaceList',
    sortKey: 'createdKey',
    projection: 'ALL',
  },
  /**
   * The posts of a workspace with a time between two times, earliest first. Posts without a time are not in it. Posts with the
   * same time are in an arbitrary order, which is always the same.
   */
  postsByTime: {
    indexName: 'posts-by-time',
    partitionKey: 'workspaceList',
    sortKey: 'scheduledFor',
    projection: 'ALL',
  },
  /**
   * The posts of a workspace that are drafts, are scheduled, or need attention, newest first. Most posts are none of these, and
   * are not in it: each index that holds a post is written again with every change of the post.
   */
  postsByStatus: {
    indexName: 'posts-by-status',
    partitionKey: 'statusList',
    sortKey: 'createdKey',
    projection: 'ALL',
  },
  /** The posts to an account, newest first; and the replies and messages of an automation, by the time of the comment. */
  targetsByAccount: {
    indexName: 'targets-by-account',
    partitionKey: 'accountList',
    sortKey: 'createdKey',
    projection: 'KEYS_ONLY',
  },
  /**
   * The work that should have happened by now. Contains only items that wait for a time, spread over shards, and failed targets,
   * in shards by the hour of their failure.
   */
  overdue: {
    indexName: 'overdue',
    partitionKey: 'dueShard',
    sortKey: 'dueAt',
    projection: 'KEYS_ONLY',
  },
} as const satisfies Record<string, IndexShape>;

export type IndexName = (typeof indexes)[keyof typeof indexes]['indexName'];
