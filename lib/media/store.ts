import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dueShard, mediaKey, workspaceKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, transact } from '../table/transaction.ts';
import { Media } from './schemas.ts';

/** Stores a grant and takes what it reserves from the quota, both or neither. */
export async function reserveMedia(
  table: Table,
  media: Media,
  releaseAt: string,
): Promise<'reserved' | 'over quota' | 'no such workspace'> {
  const item = { ...mediaKey(media.workspaceId, media.id), kind: 'media', ...media };
  const outcome = await transact(table, [
    takeStorage(table, media.workspaceId, media.reservedBytes),
    {
      Put: {
        TableName: table.name,
        Item: { ...item, dueShard: dueShard(media.id), dueAt: releaseAt },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
  ]);
  if (outcome.committed) return 'reserved';
  return outcome.oldItem ? 'over quota' : 'no such workspace';
}

/** The file's record; `undefined` for an unknown and a foreign id alike. */
export async function findMedia(
  table: Table,
  workspaceId: string,
  mediaId: string,
): Promise<Media | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: mediaKey(workspaceId, mediaId), ConsistentRead: true }),
  );
  return Item && Media.parse(Item);
}

/**
 * Moves a file to what was found of it and settles the difference with the quota, once: the write is conditional on
 * what the record reserved before.
 *
 * @returns `changed` where another write came between: read again and decide anew
 */
export async function settleMedia(
  table: Table,
  media: Media,
  found: Pick<Media, 'status' | 'reservedBytes'> &
    Partial<Pick<Media, 'sizeBytes' | 'etag' | 'statusMessage'>>,
): Promise<'settled' | 'over quota' | 'changed'> {
  const values: Record<string, unknown> = { ':before': media.reservedBytes, ':was': media.status };
  const sets: string[] = [];
  for (const [name, value] of Object.entries(found)) {
    if (value === undefined) continue;
    sets.push(`#${name} = :${name}`);
    values[`:${name}`] = value;
  }
  const update: TransactionItems[number] = {
    Update: {
      TableName: table.name,
      Key: mediaKey(media.workspaceId, media.id),
      // Nothing is left to wait for: the record leaves the index of what is due.
      UpdateExpression: `SET ${sets.join(', ')} REMOVE dueShard, dueAt`,
      ConditionExpression: 'reservedBytes = :before AND #status = :was',
      ExpressionAttributeNames: Object.fromEntries(
        Object.entries(found).flatMap(([name, value]) => (value === undefined ? [] : [[`#${name}`, name]])),
      ),
      ExpressionAttributeValues: values,
    },
  };
  const moreBytes = found.reservedBytes - media.reservedBytes;
  const outcome = await transact(table, [
    update,
    ...(moreBytes === 0 ? [] : [takeStorage(table, media.workspaceId, moreBytes)]),
  ]);
  if (outcome.committed) return 'settled';
  return outcome.failedIndex === 0 ? 'changed' : 'over quota';
}

/** @param bytes taken from the quota; negative gives back, which is never refused */
function takeStorage(table: Table, workspaceId: string, bytes: number): TransactionItems[number] {
  return {
    Update: {
      TableName: table.name,
      Key: workspaceKey(workspaceId),
      UpdateExpression: 'SET storageFreeBytes = storageFreeBytes - :bytes',
      ConditionExpression: bytes > 0 ? 'storageFreeBytes >= :bytes' : 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':bytes': bytes },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}
