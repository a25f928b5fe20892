import { dayMs, secondMs, toTimestamp } from '../../kernel/clock.ts';
import type { Table } from '../../table/table.ts';
import type { Media, MediaProbe } from '../schemas.ts';
import { findMedia, settleMedia, touchMedia } from '../store.ts';
import { largestBytes } from '../types.ts';
import { parseObjectKey } from '../urls.ts';

/** An object as it is now. */
export interface StoredObject {
  readonly sizeBytes: number;
  readonly etag: string;
}

/** What a look into a file has brought. `changed`: it is another one by now. */
export type Inspection =
  | { readonly state: 'fit'; readonly probe?: MediaProbe }
  | { readonly state: 'unfit'; readonly reason: string }
  | { readonly state: 'changed' };

/** The bucket, as the arrival of a file needs it. */
export interface MediaBucket {
  /** `undefined` where there is no such object. */
  readonly describe: (objectKey: string) => Promise<StoredObject | undefined>;
  /** Looks into the object, as far as it is the one that was described. */
  readonly inspect: (objectKey: string, object: StoredObject, contentType: string) => Promise<Inspection>;
  readonly remove: (objectKey: string) => Promise<void>;
}

/** So long after its arrival, a file is looked at for the first time: whether it was published, and is kept for nothing. */
export const keptMs = 30 * dayMs;

/** What came of a grant after all is settled up to this long after its end; then its record goes. */
const forgottenAfterMs = 7 * dayMs;

/**
 * Takes note of a file that arrived in the bucket: its real size settles the reservation; what is not what its type
 * says, too large or over the quota is removed and marked. May be told of the same arrival any number of times, in any
 * order: it always looks at the object as it is now.
 *
 * @param now epoch milliseconds
 * @returns what became of it, for the log
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
      // The sweep removes the object before the record, and begins anew where the record was touched in between.
      if (await touchMedia(table, media)) return 'deleted';
      continue;
    }
    const object = await bucket.describe(objectKey);
    if (!object) return 'gone';
    if (isSettled(media, object)) return 'ready';
    const verdict = await judge(bucket, media, object);
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
    // Marked before it is removed: a crash in between leaves a file to remove again, never one that counts as ready.
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

/** Whether this very object was looked at before: S3 tells of an arrival more than once. */
const isSettled = (media: Media, object: StoredObject): boolean =>
  media.status === 'ready' && media.etag === object.etag && media.sizeBytes === object.sizeBytes;

async function judge(bucket: MediaBucket, media: Media, object: StoredObject): Promise<Inspection> {
  const mostBytes = largestBytes(media.contentType);
  if (object.sizeBytes > mostBytes)
    return { state: 'unfit', reason: `the file is larger than ${mostBytes} bytes` };
  return bucket.inspect(media.objectKey, object, media.contentType);
}

/**
 * Releases what a grant reserved when nothing arrived in time. The record stays for a week: an upload that comes all the
 * same is settled by its real size.
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
