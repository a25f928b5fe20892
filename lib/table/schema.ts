/**
 * The shape of the one table: its key attributes and its indexes, shared by the code that reads it and the
 * stack that makes it. An index is named by the question it answers. What is stored under which key stands
 * in `keys.ts`; every access pattern in `patterns.md`.
 */

export interface IndexShape {
  readonly indexName: string;
  readonly partitionKey: string;
  readonly sortKey: string;
  /** KEYS_ONLY where the reader goes on to read by key: then a change of the item does not write the index. */
  readonly projection: 'ALL' | 'KEYS_ONLY';
}

export const tableShape = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds after which DynamoDB may delete the item; readers treat it as gone from that second on. */
  timeToLive: 'expiresAtSeconds',
} as const;

export const indexes = {
  /** Which posts has a workspace, newest first? */
  postsNewestFirst: {
    indexName: 'posts-newest-first',
    partitionKey: 'workspaceList',
    sortKey: 'createdKey',
    projection: 'ALL',
  },
  /** Which posts of a workspace have this status, newest first? */
  postsByStatus: {
    indexName: 'posts-by-status',
    partitionKey: 'statusList',
    sortKey: 'createdKey',
    projection: 'ALL',
  },
  /** Which posts go to this account, newest first? */
  targetsByAccount: {
    indexName: 'targets-by-account',
    partitionKey: 'accountList',
    sortKey: 'createdKey',
    projection: 'KEYS_ONLY',
  },
  /** What should have happened by now? Holds only items that wait for a moment, spread over shards. */
  overdue: {
    indexName: 'overdue',
    partitionKey: 'dueShard',
    sortKey: 'dueAt',
    projection: 'KEYS_ONLY',
  },
} as const satisfies Record<string, IndexShape>;

export type IndexName = (typeof indexes)[keyof typeof indexes]['indexName'];
