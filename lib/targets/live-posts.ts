import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { livePostKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** A live post by its id at the platform. */
export interface LivePostRecord {
  readonly workspaceId: string;
  readonly accountId: string;
  readonly platformPostId: string;
  readonly postId: string;
}

/** Notes which post the platform's id belongs to. The id is the platform's for good, so twice is the same. */
export async function noteLivePost(table: Table, record: LivePostRecord): Promise<void> {
  const key = livePostKey(record.workspaceId, record.accountId, record.platformPostId);
  await table.client.send(
    new PutCommand({ TableName: table.name, Item: { ...key, kind: 'livePost', ...record } }),
  );
}

/** The id of the post behind a platform's id; `undefined` where it is none of this workspace's. */
export async function findLivePost(
  table: Table,
  { workspaceId, accountId, platformPostId }: Omit<LivePostRecord, 'postId'>,
): Promise<string | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: livePostKey(workspaceId, accountId, platformPostId),
      ConsistentRead: true,
    }),
  );
  return Item && String(Item['postId']);
}
