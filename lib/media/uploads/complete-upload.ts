import { hourMs, toTimestamp } from '../../kernel/clock.ts';
import type { Table } from '../../table/table.ts';
import type { Media, MediaProbe } from '../schemas.ts';
import { findMedia, settleMedia } from '../store.ts';
import { settledDueAt } from '../times.ts';
import { largestBytes } from '../types.ts';
import { incomingKeyOf, parseUploadKey } from '../urls.ts';
import { abortParts, closeUpload, type Remover } from './close-upload.ts';

/** An object in the bucket, as it is now. */
export interface StoredObject {
  readonly sizeBytes: number;
  readonly etag: string;
  /** The SHA-256, 64 lower-case hexadecimal digits; absent if S3 has not computed it. */
  readonly sha256?: string | undefined;
}

/** The result of an inspection. `changed`: the object was replaced during the inspection. */
export type Inspection =
  | { readonly state: 'fit'; readonly probe?: MediaProbe }
  | { readonly state: 'unfit'; readonly reason: string }
  | { readonly state: 'changed' };

/** The bucket operations for completing an upload. */
export interface MediaBucket {
  /** Describes an object; `undefined` if there is none. */
  readonly describe: (objectKey: string) => Promise<StoredObject | undefined>;
  /** Inspects the object if it is still the one that was described. */
  readonly inspect: (objectKey: string, object: StoredObject, contentType: string) => Promise<Inspection>;
  /**
   * Copies an upload to the key of its public object. Never overwrites.
   *
   * @returns `undefined` if nothing was copied: the upload no longer has this entity tag, or the public object exists
   */
  readonly publish: (upload: {
    readonly incomingKey: string;
    readonly objectKey: string;
    readonly etag: string;
    readonly contentType: string;
  }) => Promise<{ readonly sha256: string } | undefined>;
  /** Removes an object. @param etag if given, an object with another entity tag stays */
  readonly remove: (objectKey: string, etag?: string) => Promise<void>;
  readonly abortUpload: Remover['abortUpload'];
}

/** The time after the end of a grant during which an upload that began before it may arrive. Then the reservation is released. */
export const arrivalGraceMs = hourMs;

export type UploadOutcome = 'ready' | 'invalid' | 'gone' | 'not ours';

/**
 * Accepts or rejects a file that arrived in the bucket. An accepted file is copied to its public key. The copy is the
 * acceptance: it is made once, and later uploads cannot change it. A file of the wrong type, too large or over the quota
 * is marked as invalid and removed. Idempotent, safe to run concurrently, and independent of the order of
 * notifications: it always reads the objects as they are now.
 *
 * An interruption ends as follows:
 * - Before the copy: the message returns, and the file is inspected again.
 * - After the copy, while the record is `pending`: the message returns, and the copy fails. The record is settled from an
 *   inspection of the public object.
 * - After the record is `ready`: the message returns and removes the upload.
 * - Two messages, or a second upload, before that: all settle from the first copy. A rejected upload is removed on the
 *   condition of its entity tag, so an upload that replaces it in that moment is inspected.
 * - A second upload after the acceptance: its message removes the upload, and nothing else.
 * - Five failed receives: the last one closes the file (see `closeUpload`). Later uploads are removed unseen.
 * - The function dies five times: the message is a dead letter, and the upload is not public. The sweep releases the
 *   reservation after two hours, and closes the file a day later.
 * - While the file is removed: its record stays, and the next sweep begins again.
 *
 * @param notifiedKey the key of the upload
 * @param now epoch milliseconds
 * @returns the outcome, for the log
 */
export async function completeUpload(
  table: Table,
  bucket: MediaBucket,
  notifiedKey: string,
  now: number,
): Promise<UploadOutcome> {
  const ids = parseUploadKey(notifiedKey);
  if (!ids) return 'not ours';
  const { objectKey, incomingKey } = ids;
  for (;;) {
    const media = await findMedia(table, ids.workspaceId, ids.mediaId);
    if (media?.objectKey !== objectKey || media.closedAt !== undefined) {
      if (media?.objectKey === objectKey) await abortParts(bucket, media);
      // The upload first: without it, no worker that is still running can make the public object again.
      await bucket.remove(incomingKey);
      await bucket.remove(objectKey);
      return media?.objectKey === objectKey ? 'invalid' : 'not ours';
    }
    if (media.status === 'ready') {
      await endUpload(bucket, media);
      return 'ready';
    }
    const outcome = await acceptUpload({ table, bucket, media, now });
    if (outcome !== 'changed') return outcome;
  }
}

interface Acceptance {
  readonly table: Table;
  readonly bucket: MediaBucket;
  /** A file that is pending or invalid. */
  readonly media: Media;
  readonly now: number;
}

/** The result of a step. `changed`: the record or the upload has changed; read both again. */
type Step = UploadOutcome | 'changed';

async function acceptUpload(acceptance: Acceptance): Promise<Step> {
  const { bucket, media } = acceptance;
  const { objectKey, contentType } = media;
  const incomingKey = incomingKeyOf(objectKey);
  const upload = await bucket.describe(incomingKey);
  if (!upload) return (await adoptPublic(acceptance)) ?? 'gone';
  const verdict = await checkObject(bucket, media, incomingKey, upload);
  if (verdict.state === 'changed') return 'changed';
  if (verdict.state === 'unfit') return reject(acceptance, upload, verdict.reason);
  const paid = await reserve(acceptance, upload.sizeBytes);
  if (paid === 'changed') return 'changed';
  if (paid === 'over quota') return reject(acceptance, upload, overQuota);
  const copy = await bucket.publish({ incomingKey, objectKey, etag: upload.etag, contentType });
  const settling = { ...acceptance, media: paid };
  if (!copy) return (await adoptPublic(settling)) ?? 'changed';
  const outcome = await settleReady(settling, { ...upload, ...copy }, verdict.probe);
  // The copy's bytes are already reserved, so the quota cannot refuse it.
  if (outcome !== 'settled') return 'changed';
  await endUpload(bucket, media);
  return 'ready';
}

/**
 * Removes an upload, and parts that a client has sent beside it: they would not count towards the quota. A rejected upload is
 * removed only if it has this entity tag.
 */
async function endUpload(bucket: MediaBucket, media: Media, etag?: string): Promise<void> {
  await abortParts(bucket, media);
  await bucket.remove(incomingKeyOf(media.objectKey), etag);
}

const overQuota = 'the storage quota was exceeded';

async function checkObject(
  bucket: MediaBucket,
  media: Media,
  objectKey: string,
  object: StoredObject,
): Promise<Inspection> {
  const maxBytes = largestBytes(media.contentType);
  if (object.sizeBytes > maxBytes)
    return { state: 'unfit', reason: `the file is larger than ${maxBytes} bytes` };
  return bucket.inspect(objectKey, object, media.contentType);
}

/**
 * Raises the reservation to the real size before anything is public. Needs no write if the declared size was right. If
 * the copy never happens, the sweep releases the reservation. A deleted file reserves nothing.
 */
async function reserve(
  { table, media, now }: Acceptance,
  sizeBytes: number,
): Promise<Media | 'changed' | 'over quota'> {
  if (media.removedAt !== undefined || sizeBytes <= media.reservedBytes) return media;
  const { expiresAtSeconds: _released, ...kept } = media;
  const outcome = await settleMedia(table, media, {
    reservedBytes: sizeBytes,
    expiresAtSeconds: null,
    dueAt: toTimestamp(now + arrivalGraceMs),
  });
  return outcome === 'settled' ? { ...kept, reservedBytes: sizeBytes, version: media.version + 1 } : outcome;
}

function settleReady({ table, media, now }: Acceptance, object: StoredObject, probe: MediaProbe | undefined) {
  return settleMedia(table, media, {
    status: 'ready',
    reservedBytes: media.removedAt === undefined ? object.sizeBytes : 0,
    sizeBytes: object.sizeBytes,
    etag: object.etag,
    sha256: object.sha256 ?? null,
    probe: probe ?? null,
    statusMessage: null,
    expiresAtSeconds: null,
    importUrl: null,
    dueAt: settledDueAt(media, now),
  });
}

/**
 * Settles the record from the public object: another worker copied it and has not settled the record, or crashed. The
 * object is inspected again, because it need not be the upload that this worker has seen.
 *
 * @returns `undefined` if there is no public object
 */
async function adoptPublic(acceptance: Acceptance): Promise<Step | undefined> {
  const { table, bucket, media, now } = acceptance;
  const object = await bucket.describe(media.objectKey);
  if (!object) return undefined;
  const verdict = await checkObject(bucket, media, media.objectKey, object);
  if (verdict.state === 'changed') return 'changed';
  const outcome =
    verdict.state === 'unfit' ? verdict.reason : await settleReady(acceptance, object, verdict.probe);
  if (outcome === 'changed') return 'changed';
  if (outcome !== 'settled') {
    const reason = outcome === 'over quota' ? overQuota : outcome;
    return (await closeUpload(table, bucket, media, reason, now)) ? 'invalid' : 'changed';
  }
  await endUpload(bucket, media);
  return 'ready';
}

/**
 * Marks an upload as invalid and removes it, unless an earlier upload to the same grant was accepted. If another upload
 * has replaced it by then, that one stays, and its own notification decides about it.
 */
async function reject(acceptance: Acceptance, { etag }: StoredObject, reason: string): Promise<Step> {
  const { table, bucket, media, now } = acceptance;
  const adopted = await adoptPublic(acceptance);
  if (adopted !== undefined) return adopted;
  // Marked before it is removed: a crash in between leaves an upload, which nobody can read and which expires.
  const outcome = await settleMedia(table, media, {
    status: 'invalid',
    reservedBytes: 0,
    statusMessage: reason,
    expiresAtSeconds: null,
    importUrl: null,
    dueAt: settledDueAt(media, now),
  });
  if (outcome !== 'settled') return 'changed';
  await endUpload(bucket, media, etag);
  return 'invalid';
}
