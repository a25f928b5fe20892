import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { conditionalUpdate } from '../table/conditional-update.ts';
import { mediaKey, mediaShard, workspaceKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, transact } from '../table/transaction.ts';
import { Media } from './schemas.ts';

/** A file as it is stored. Found by the index `overdue` at `dueAt`, where it is given. */
export function mediaItem(media: Media, dueAt?: string): Record<string, unknown> {
  return {
    ...mediaKey(media.workspaceId, media.id),
    kind: 'media',
    ...media,
    ...(dueAt !== undefined && { dueShard: mediaShard(media.id), dueAt }),
  };
}

/** Stores a grant and takes what it reserves from the quota, both or neither. */
export async function reserveMedia(
  table: Table,
  media: Media,
  releaseAt: string,
): Promise<'reserved' | 'over quota' | 'no such workspace'> {
  const outcome = await transact(table, [
    takeStorage(table, media.workspaceId, media.reservedBytes),
    {
      Put: {
        TableName: table.name,
        Item: mediaItem(media, releaseAt),
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
  ]);
  if (outcome.committed) return 'reserved';
  return outcome.oldItem ? 'over quota' : 'no such workspace';
}

/** The file's record, strongly consistent; `undefined` for an unknown and a foreign id alike. */
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

/** New values of a file's fields; `null` removes one. */
export type MediaChanges = Pick<Media, 'reservedBytes'> & {
  readonly [Name in keyof Omit<Media, 'id' | 'workspaceId' | 'objectKey' | 'version'>]?: Media[Name] | null;
} & {
  /** When the sweep has to look at it; `null` where nothing is left to wait for. */
  readonly dueAt: string | null;
};

/**
 * Changes a file's record and settles the difference of what it reserves with the quota, once: the write is conditional
 * on the record's version.
 *
 * @param options.mayExceed takes from the quota even where it is used up
 * @returns `changed` where another write came between: read again and decide anew
 */
export async function settleMedia(
  table: Table,
  media: Media,
  changes: MediaChanges,
  { mayExceed = false } = {},
): Promise<'settled' | 'over quota' | 'changed'> {
  const moreBytes = changes.reservedBytes - media.reservedBytes;
  const outcome = await transact(table, [
    updateMedia(table, media, changes),
    ...(moreBytes === 0 ? [] : [takeStorage(table, media.workspaceId, moreBytes, mayExceed)]),
  ]);
  if (outcome.committed) return 'settled';
  return outcome.failedIndex === 0 ? 'changed' : 'over quota';
}

function updateMedia(
  table: Table,
  media: Media,
  { dueAt, ...fields }: MediaChanges,
): TransactionItems[number] {
  const changes: Record<string, unknown> = {
    ...fields,
    version: media.version + 1,
    dueAt,
    dueShard: dueAt === null ? null : mediaShard(media.id),
  };
  const named = Object.entries(changes).filter(([, value]) => value !== undefined);
  const sets = named.filter(([, value]) => value !== null);
  const removes = named.filter(([, value]) => value === null);
  return {
    Update: {
      TableName: table.name,
      Key: mediaKey(media.workspaceId, media.id),
      UpdateExpression: [
        `SET ${sets.map(([name]) => `#${name} = :${name}`).join(', ')}`,
        ...(removes.length > 0 ? [`REMOVE ${removes.map(([name]) => `#${name}`).join(', ')}`] : []),
      ].join(' '),
      ConditionExpression: '#version = :before',
      ExpressionAttributeNames: Object.fromEntries(named.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ':before': media.version,
        ...Object.fromEntries(sets.map(([name, value]) => [`:${name}`, value])),
      },
    },
  };
}

/**
 * Raises the version of a file's record and changes nothing else: who has read it before cannot write it any more.
 *
 * @returns false where it has changed already
 */
export async function touchMedia(table: Table, media: Media): Promise<boolean> {
  const { written } = await conditionalUpdate(table, {
    Key: mediaKey(media.workspaceId, media.id),
    UpdateExpression: 'SET version = :next',
    ConditionExpression: 'version = :before',
    ExpressionAttributeValues: { ':before': media.version, ':next': media.version + 1 },
  });
  return written;
}

/**
 * Removes the record of a file that reserves nothing any more.
 *
 * @returns false where it has changed meanwhile
 */
export async function forgetMedia(table: Table, media: Media): Promise<boolean> {
  const outcome = await transact(table, [
    {
      Delete: {
        TableName: table.name,
        Key: mediaKey(media.workspaceId, media.id),
        ConditionExpression: 'version = :version AND reservedBytes = :none',
        ExpressionAttributeValues: { ':version': media.version, ':none': 0 },
      },
    },
  ]);
  return outcome.committed;
}

/** @param bytes taken from the quota; negative gives back, which is never refused */
function takeStorage(
  table: Table,
  workspaceId: string,
  bytes: number,
  mayExceed = false,
): TransactionItems[number] {
  return {
    Update: {
      TableName: table.name,
      Key: workspaceKey(workspaceId),
      UpdateExpression: 'SET storageFreeBytes = storageFreeBytes - :bytes',
      ConditionExpression: bytes > 0 && !mayExceed ? 'storageFreeBytes >= :bytes' : 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':bytes': bytes },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
  };
}
