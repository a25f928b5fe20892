import { dayMs, secondMs, toTimestamp } from '../../kernel/clock.ts';
import type { Table } from '../../table/table.ts';
import type { Media, MediaProbe } from '../schemas.ts';
import { findMedia, settleMedia, touchMedia } from '../store.ts';
import { largestBytes } from '../types.ts';
import { parseObjectKey } from '../urls.ts';

/** An object in the bucket, as it is now. */
export interface StoredObject {
  readonly sizeBytes: number;
  readonly etag: string;
}

/** What an inspection found. `changed`: the object was replaced during the inspection. */
export type Inspection =
  | { readonly state: 'fit'; readonly probe?: MediaProbe }
  | { readonly state: 'unfit'; readonly reason: string }
  | { readonly state: 'changed' };

/** The bucket operations that completing an upload needs. */
export interface MediaBucket {
  /** `undefined` if there is no such object. */
  readonly describe: (objectKey: string) => Promise<StoredObject | undefined>;
  /** Inspects the object if it is still the one that was described. */
  readonly inspect: (objectKey: string, object: StoredObject, contentType: string) => Promise<Inspection>;
  readonly remove: (objectKey: string) => Promise<void>;
}

/** Time from a file's arrival to the first check whether it was published and is no longer needed. */
export const keptMs = 30 * dayMs;

/** After a grant's release, a late upload is still accepted for this long. Then the record expires. */
const forgottenAfterMs = 7 * dayMs;

/**
 * Records a file that arrived in the bucket. Its real size replaces the reservation. A file of the wrong type, too large
 * or over the quota is removed and marked as invalid. Idempotent and independent of the order of notifications: it
 * always reads the object as it is now.
 *
 * @param now epoch milliseconds
 * @returns the outcome, for the log
 */
export async function completeUpload(
  table: Table,
  bucket: MediaBucket,
  objectKey: string,
  now: number,
): Promise<'ready' | 'invalid' | 'gone' | 'not ours' | 'deleted'> {
  const ids = parseObjectKey(objectKey);
  if (!ids) return 'not ours';
  for (;;) {
    const media = await findMedia(table, ids.workspaceId, ids.mediaId);
    if (media?.objectKey !== objectKey) {
      await bucket.remove(objectKey);
      return 'not ours';
    }
    if (media.removedAt !== undefined) {
      // The sweep removes the object before the record. If the record was touched in between, the sweep starts again.
      if (await touchMedia(table, media)) return 'deleted';
      continue;
    }
    const object = await bucket.describe(objectKey);
    if (!object) return 'gone';
    if (isSettled(media, object)) return 'ready';
    const verdict = await checkObject(bucket, media, object);
    if (verdict.state === 'changed') continue;
    const cleanupAt = toTimestamp(now + keptMs);
    const outcome =
      verdict.state === 'unfit'
        ? 'unfit'
        : await settleMedia(table, media, {
            status: 'ready',
            reservedBytes: object.sizeBytes,
            ...object,
            probe: verdict.probe ?? null,
            statusMessage: null,
            expiresAtSeconds: null,
            dueAt: cleanupAt,
          });
    if (outcome === 'settled') return 'ready';
    if (outcome === 'changed') continue;

    const statusMessage = verdict.state === 'unfit' ? verdict.reason : 'the storage quota was exceeded';
    // Marked before it is removed: a crash in between leaves an object to remove later, never a file that is `ready`.
    const marked = await settleMedia(table, media, {
      status: 'invalid',
      reservedBytes: 0,
      statusMessage,
      sizeBytes: null,
      etag: null,
      probe: null,
      expiresAtSeconds: null,
      dueAt: cleanupAt,
    });
    if (marked === 'changed') continue;
    await bucket.remove(objectKey);
    return 'invalid';
  }
}

/** Whether this object was already recorded: S3 may notify more than once. */
const isSettled = (media: Media, object: StoredObject): boolean =>
  media.status === 'ready' && media.etag === object.etag && media.sizeBytes === object.sizeBytes;

async function checkObject(bucket: MediaBucket, media: Media, object: StoredObject): Promise<Inspection> {
  const maxBytes = largestBytes(media.contentType);
  if (object.sizeBytes > maxBytes)
    return { state: 'unfit', reason: `the file is larger than ${maxBytes} bytes` };
  return bucket.inspect(media.objectKey, object, media.contentType);
}

/**
 * Releases the reservation of a grant whose upload did not arrive in time. The record stays for a week: a later upload
 * within that week still counts, with its real size.
 *
 * @param now epoch milliseconds
 */
export async function releaseGrant(table: Table, media: Media, now: number): Promise<void> {
  await settleMedia(table, media, {
    reservedBytes: 0,
    expiresAtSeconds: Math.ceil((now + forgottenAfterMs) / secondMs),
    dueAt: null,
  });
}
