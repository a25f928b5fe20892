import { requireMove } from '../kernel/life-cycle.ts';
import { absent } from '../table/condition.ts';
import { getItem } from '../table/items.ts';
import { mediaKey, mediaShard } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { deletePart, putPart, type TransactionItems, transact, updatePart } from '../table/transaction.ts';
import { removingNulls } from '../table/update.ts';
import { countChange } from './imports/open-import.ts';
import { type Media, mediaLifeCycle, mediaState } from './schemas.ts';
import { mediaFromItem } from './stored-media.ts';
import { openImportsAtRefusal, sharePart } from './workspace-share.ts';

/** Returns a file's item as stored. With `dueAt`, the index `overdue` finds it at that time. */
export function mediaItem(media: Media, dueAt?: string): Record<string, unknown> {
  const key = mediaKey(media.workspaceId, media.id);
  return {
    ...key,
    kind: 'media',
    ...media,
    ...(dueAt !== undefined && { dueShard: mediaShard(media.id), dueAt }),
  };
}

/**
 * Stores a new record and takes its share of the workspace, atomically: reserved bytes, and for an import its place
 * among the open ones. An upload needs free bytes, however few it reserves.
 *
 * @param audit the entry of the audit log
 * @returns the obstacle, if there is one; `openImports` if it is the number of imports
 */
export async function reserveMedia(
  table: Table,
  media: Media,
  dueAt: string,
  audit: TransactionItems = [],
): Promise<'reserved' | 'over quota' | 'no such workspace' | { readonly openImports: number }> {
  const imports = media.isCountedImport ? 1 : 0;
  const share = { bytes: media.reservedBytes, imports };
  // The size of an upload may be unknown, but it is at least a byte.
  const leastFreeBytes = media.isCountedImport ? 0 : 1;
  const outcome = await transact(table, [
    sharePart(table, media.workspaceId, share, { leastFreeBytes }),
    putPart(table, mediaItem(media, dueAt), { pk: absent }),
    ...audit,
  ]);
  if (outcome.committed) return 'reserved';
  if (!outcome.oldItem) return 'no such workspace';
  // An import reserves no bytes yet.
  const openImports = imports > 0 ? openImportsAtRefusal(outcome) : undefined;
  return openImports === undefined ? 'over quota' : { openImports };
}

/**
 * Makes the write that stores the record of a file to import, which reserves nothing yet. Its transaction must count
 * the open import too, by `sharePart`.
 */
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
  /** The time of the sweep's next check of the file; `null` if none is needed; absent if that does not change. */
  readonly dueAt?: string | null;
};

/**
 * Changes a file's record, adjusts the quota by the difference in reserved bytes, and counts an import that the change
 * opens or ends, atomically. The write is conditional on the record's version, so a repeated call adjusts both once.
 *
 * @param options.mayExceed true to take from the quota even if it is used up
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
  const bytes = changes.reservedBytes - media.reservedBytes;
  const imports = countChange(media, withChanges(media, changes));
  const counted = imports === 0 ? {} : { isCountedImport: imports > 0 ? (true as const) : null };
  const isShared = bytes !== 0 || imports !== 0;
  const share = isShared ? [sharePart(table, media.workspaceId, { bytes, imports }, { mayExceed })] : [];
  const outcome = await transact(table, [
    updateMedia(table, media, { ...changes, ...counted }),
    ...share,
    ...audit,
  ]);
  if (outcome.committed) return 'settled';
  return outcome.failedIndex === 0 ? 'changed' : 'over quota';
}

function withChanges(media: Media, changes: Partial<MediaChanges>): Media {
  const after = Object.entries({ ...media, ...changes }).filter(([, value]) => value !== null);
  return Object.fromEntries(after) as unknown as Media;
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
 * Marks a file as unusable because the service has lost its object, and returns its share of the quota. No life cycle
 * has this move: for every function, a `ready` file stays ready. Only a restore calls it.
 *
 * @param statusMessage for users
 * @returns false if the record has changed in the meantime
 */
export async function loseMedia(table: Table, media: Media, statusMessage: string): Promise<boolean> {
  const { workspaceId, version, reservedBytes } = media;
  const status = 'invalid' satisfies Media['status'];
  const set = { status, statusMessage, reservedBytes: 0, version: version + 1 };
  const outcome = await transact(table, [
    updatePart(table, mediaKey(workspaceId, media.id), { set, if: { version } }),
    ...(reservedBytes > 0
      ? [sharePart(table, workspaceId, { bytes: -reservedBytes, imports: 0 }, { mayExceed: true })]
      : []),
  ]);
  return outcome.committed;
}

/**
 * Removes the record of a file that no longer reserves any bytes.
 *
 * @returns false if the record has changed in the meantime
 */
export async function deleteMediaRecord(table: Table, media: Media): Promise<boolean> {
  const { workspaceId, version, isCountedImport } = media;
  const outcome = await transact(table, [
    deletePart(table, mediaKey(workspaceId, media.id), { version, reservedBytes: 0 }),
    // Only if an earlier release has ended the import.
    ...(isCountedImport ? [sharePart(table, workspaceId, { bytes: 0, imports: -1 })] : []),
  ]);
  return outcome.committed;
}
