import { dayMs, hourMs, secondMs, toTimestamp } from '../../kernel/clock.ts';
import type { Table } from '../../table/table.ts';
import type { Media } from '../schemas.ts';
import { findMedia, settleMedia } from '../store.ts';
import { keptMs, removalSettlesMs } from '../times.ts';
import { incomingKeyOf, parseUploadKey } from '../urls.ts';

/** Removes what a client has uploaded. */
export interface Remover {
  /** Removes an object; also succeeds if there is none. */
  readonly remove: (objectKey: string) => Promise<void>;
  /** Removes the parts of an upload; also succeeds if it has ended. */
  readonly abortUpload: (objectKey: string, uploadId: string) => Promise<void>;
}

/** Ends an upload in parts: no part can follow, and those that were sent are removed. */
export async function abortParts(
  bucket: Pick<Remover, 'abortUpload'>,
  { objectKey, parts }: Pick<Media, 'objectKey' | 'parts'>,
): Promise<void> {
  if (parts) await bucket.abortUpload(incomingKeyOf(objectKey), parts.uploadId);
}

/** The time after its release during which a grant may still receive an upload that was delayed on the way. Then it is closed. */
const closesAfterMs = dayMs;

/** The time after its release at which a grant's record expires, unless the sweep has closed the grant before. */
const forgottenAfterMs = 7 * dayMs;

/** The time after which no copy that was running when a file was closed can still make a public object. */
const copiesEndMs = hourMs;

/**
 * Ends a file that was not accepted: marks it as invalid permanently, and removes both of its objects. A late upload is
 * removed by its own notification; {@link removeLateCopy} removes the copy of a worker that is still running.
 *
 * @param reason shown to users
 * @param now epoch milliseconds
 * @returns false if the file's record has changed in the meantime; nothing was done
 */
export async function closeUpload(
  table: Table,
  bucket: Remover,
  media: Media,
  reason: string,
  now: number,
): Promise<boolean> {
  const outcome = await settleMedia(table, media, closedFields(media, reason, now));
  if (outcome !== 'settled') return false;
  await removeObjects(bucket, media);
  return true;
}

/**
 * Returns the changes that close a file's record. Its objects are removed as by {@link closeUpload}, also if they arrive later.
 *
 * @param reason shown to users
 * @param now epoch milliseconds
 */
export function closedFields({ removedAt }: Media, reason: string, now: number) {
  return {
    status: 'invalid',
    reservedBytes: 0,
    statusMessage: reason,
    closedAt: toTimestamp(now),
    expiresAtSeconds: null,
    importUrl: null,
    dueAt: toTimestamp(now + (removedAt === undefined ? copiesEndMs : removalSettlesMs)),
  } as const;
}

/** Removes both objects, the upload first: without it, no worker that is still running can make the public object again. */
async function removeObjects(bucket: Remover, media: Media): Promise<void> {
  await abortParts(bucket, media);
  await bucket.remove(incomingKeyOf(media.objectKey));
  await bucket.remove(media.objectKey);
}

/**
 * Removes the objects of a closed file once more, an hour after it was closed: S3 may have finished a copy for a worker
 * that ended before it could notice that the file was closed.
 *
 * @param now epoch milliseconds
 * @returns false if the file is not closed, or was closed long ago
 */
export async function removeLateCopy(
  table: Table,
  bucket: Remover,
  media: Media,
  now: number,
): Promise<boolean> {
  const forgetMs = Date.parse(media.closedAt ?? '') + keptMs;
  if (!(now < forgetMs)) return false;
  await removeObjects(bucket, media);
  await settleMedia(table, media, { reservedBytes: media.reservedBytes, dueAt: toTimestamp(forgetMs) });
  return true;
}

/**
 * Closes a file that Herald could not inspect in any attempt. An accepted file stays as it is.
 *
 * @param notifiedKey the key of the upload
 * @param now epoch milliseconds
 */
export async function giveUpUpload(
  table: Table,
  bucket: Remover,
  notifiedKey: string,
  now: number,
): Promise<void> {
  const ids = parseUploadKey(notifiedKey);
  if (!ids) return;
  for (;;) {
    const media = await findMedia(table, ids.workspaceId, ids.mediaId);
    const isOpen = media?.objectKey === ids.objectKey && media.status !== 'ready';
    if (!isOpen) return bucket.remove(ids.incomingKey);
    const remedy =
      media.sourceUrl === undefined ? 'get another upload URL and upload it again' : 'import it again';
    if (await closeUpload(table, bucket, media, `the file could not be inspected; ${remedy}`, now)) return;
  }
}

/**
 * Releases a grant if its upload did not arrive in time. The reservation ends immediately. An upload that was delayed
 * on its way still counts for a day, with its real size. Then the grant is closed, and the rest of its upload removed.
 * Parts are removed before the reservation ends, because they take storage.
 *
 * @param now epoch milliseconds
 */
export async function releaseGrant(
  table: Table,
  bucket: Remover,
  media: Media,
  now: number,
): Promise<'released' | 'closed'> {
  if (media.expiresAtSeconds !== undefined) {
    await closeUpload(table, bucket, media, 'the file was not uploaded in time', now);
    return 'closed';
  }
  await abortParts(bucket, media);
  await settleMedia(table, media, {
    reservedBytes: 0,
    expiresAtSeconds: Math.ceil((now + forgottenAfterMs) / secondMs),
    dueAt: toTimestamp(now + closesAfterMs),
  });
  return 'released';
}
