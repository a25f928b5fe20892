import type { Table } from '../table/table.ts';
import { parseObjectKey } from './addresses.ts';
import { findMedia, settleMedia } from './store.ts';
import { largestBytes } from './types.ts';

/** The bucket, as the arrival of a file needs it. */
export interface MediaBucket {
  /** Size and entity tag as they are now; `undefined` where there is no such object. */
  readonly describe: (objectKey: string) => Promise<{ sizeBytes: number; etag: string } | undefined>;
  readonly remove: (objectKey: string) => Promise<void>;
}

/**
 * Takes note of a file that arrived in the bucket: its real size settles the reservation; what is too large or over
 * the quota is removed and marked. May be told of the same arrival any number of times, in any order: it always looks
 * at the object as it is now.
 *
 * @returns what became of it, for the log
 */
export async function mediaArrived(
  table: Table,
  bucket: MediaBucket,
  objectKey: string,
): Promise<'ready' | 'invalid' | 'gone' | 'not ours'> {
  const ids = parseObjectKey(objectKey);
  if (!ids) return 'not ours';
  for (;;) {
    const media = await findMedia(table, ids.workspaceId, ids.mediaId);
    if (media?.objectKey !== objectKey) {
      await bucket.remove(objectKey);
      return 'not ours';
    }
    const object = await bucket.describe(objectKey);
    if (!object) return 'gone';
    const tooLarge = object.sizeBytes > largestBytes(media.contentType);
    const outcome = tooLarge
      ? 'over quota'
      : await settleMedia(table, media, { status: 'ready', reservedBytes: object.sizeBytes, ...object });
    if (outcome === 'settled') return 'ready';
    if (outcome === 'changed') continue;

    const statusMessage = tooLarge ? 'the file is larger than is allowed' : 'the storage quota was exceeded';
    // Marked before it is removed: a crash in between leaves a file to remove again, never one that counts as ready.
    const marked = await settleMedia(table, media, { status: 'invalid', reservedBytes: 0, statusMessage });
    if (marked === 'changed') continue;
    await bucket.remove(objectKey);
    return 'invalid';
  }
}

/**
 * Releases what a grant reserved when nothing arrived in time. The record stays: an upload that comes all the same is
 * settled by its real size.
 */
export async function releaseGrant(table: Table, workspaceId: string, mediaId: string): Promise<void> {
  const media = await findMedia(table, workspaceId, mediaId);
  if (media?.status !== 'pending') return;
  await settleMedia(table, media, { status: 'pending', reservedBytes: 0 });
}
