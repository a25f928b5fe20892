import { requireMove } from '../kernel/life-cycle.ts';
import { absent, atLeast, present } from '../table/condition.ts';
import { getItem } from '../table/items.ts';
import { mediaKey, mediaShard, workspaceKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { deletePart, putPart, type TransactionItems, transact, updatePart } from '../table/transaction.ts';
import { plus, removingNulls } from '../table/update.ts';
import { type Media, mediaLifeCycle, mediaState } from './schemas.ts';
import { mediaFromItem } from './stored-media.ts';

/** A file's item as stored. The index `overdue` finds it at `dueAt`, if it is stored. */
export function mediaItem(media: Media, dueAt?: string): Record<string, unknown> {
  const key = mediaKey(media.workspaceId, media.id);
  return {
    ...key,
    kind: 'media',
    ...media,
    ...(dueAt !== undefined && { dueShard: mediaShard(media.id), dueAt }),
  };
}

/** Stores a grant and takes its reservation from the quota, atomically. @param audit the grant's entry of the audit log */
export async function reserveMedia(
  table: Table,
  media: Media,
  releaseAt: string,
  audit: TransactionItems = [],
): Promise<'reserved' | 'over quota' | 'no such workspace'> {
  const outcome = await transact(table, [
    takeStorage(table, media.workspaceId, media.reservedBytes),
    putPart(table, mediaItem(media, releaseAt), { pk: absent }),
    ...audit,
  ]);
  if (outcome.committed) return 'reserved';
  return outcome.oldItem ? 'over quota' : 'no such workspace';
}

/** The write that stores the record of a file that is to be imported, which reserves nothing yet. */
export function importPart(table: Table, media: Media, dueAt: string): TransactionItems[number] {
  return putPart(table, mediaItem(media, dueAt), { pk: absent });
}

/** Returns the file's record, strongly consistent; `undefined` for an unknown or foreign id. */
export async function findMedia(
  table: Table,
  workspaceId: string,
  mediaId: string,
): Promise<Media | undefined> {
  const item = await getItem(table, mediaKey(workspaceId, mediaId));
  return item && mediaFromItem(item, table);
}

/** New values of a file's fields; `null` removes a field. */
export type MediaChanges = {
  readonly [Name in keyof Omit<Media, 'id' | 'workspaceId' | 'objectKey' | 'version'>]?: Media[Name] | null;
} & {
  readonly reservedBytes: number;
  readonly status?: Media['status'];
  /** When the sweep must next check the file; `null` if it need not; absent if that does not change. */
  readonly dueAt?: string | null;
};

/**
 * Changes a file's record and adjusts the quota by the difference in reserved bytes, atomically. The write is conditional
 * on the record's version, so a repeated call adjusts the quota once.
 *
 * @param options.mayExceed takes from the quota even if it is used up
 * @param options.audit the entry of the audit log, if a client asked for the change
 * @returns `changed` on a version conflict: read again and decide again
 * @throws ForbiddenMoveError if the life cycle does not allow the change
 */
export async function settleMedia(
  table: Table,
  media: Media,
  changes: MediaChanges,
  { mayExceed = false, audit = [] }: { mayExceed?: boolean; audit?: TransactionItems } = {},
): Promise<'settled' | 'over quota' | 'changed'> {
  const moreBytes = changes.reservedBytes - media.reservedBytes;
  const outcome = await transact(table, [
    updateMedia(table, media, changes),
    ...(moreBytes === 0 ? [] : [takeStorage(table, media.workspaceId, moreBytes, mayExceed)]),
    ...audit,
  ]);
  if (outcome.committed) return 'settled';
  return outcome.failedIndex === 0 ? 'changed' : 'over quota';
}

function updateMedia(
  table: Table,
  media: Media,
  { dueAt, ...fields }: MediaChanges,
): TransactionItems[number] {
  const { status = media.status, removedAt = media.removedAt } = fields;
  const after = mediaState({ status, removedAt: removedAt ?? undefined });
  requireMove('file', mediaLifeCycle, mediaState(media), after);
  const due = dueAt !== undefined && { dueAt, dueShard: dueAt === null ? null : mediaShard(media.id) };
  return updatePart(table, mediaKey(media.workspaceId, media.id), {
    set: removingNulls({ ...fields, version: media.version + 1, ...due }),
    if: { version: media.version },
  });
}

/**
 * Removes the record of a file that no longer reserves any bytes.
 *
 * @returns false if the record has changed in the meantime
 */
export async function deleteMediaRecord(table: Table, media: Media): Promise<boolean> {
  const { version } = media;
  const outcome = await transact(table, [
    deletePart(table, mediaKey(media.workspaceId, media.id), { version, reservedBytes: 0 }),
  ]);
  return outcome.committed;
}

/** @param bytes taken from the quota; negative gives bytes back, which needs no free quota */
function takeStorage(
  table: Table,
  workspaceId: string,
  bytes: number,
  mayExceed = false,
): TransactionItems[number] {
  const condition = bytes > 0 && !mayExceed ? { storageFreeBytes: atLeast(bytes) } : { pk: present };
  const update = { set: { storageFreeBytes: plus(-bytes) }, if: condition };
  return updatePart(table, workspaceKey(workspaceId), update, { returnOld: true });
}
