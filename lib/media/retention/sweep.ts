import { type Clock, dayMs, minuteMs, toTimestamp } from '../../kernel/clock.ts';
import { workDuePages } from '../../overdue/due-pages.ts';
import { batchWrite } from '../../table/batch-write.ts';
import { type Item, updateItem } from '../../table/items.ts';
import { allMediaShards, type Key, mediaUsesPartition } from '../../table/keys.ts';
import { queryAll } from '../../table/query.ts';
import { retentionOf, type Table } from '../../table/table.ts';
import { type ImportingMedia, isImporting } from '../imports/open-import.ts';
import type { ImportMessage } from '../imports/schemas.ts';
import { deleteRendition, type RemovableRendition, renditionsOf } from '../renditions/records.ts';
import { Media, type StoredImport } from '../schemas.ts';
import { deleteMediaRecord, settleMedia } from '../store.ts';
import { shownMediaFromItem } from '../stored-media.ts';
import { keptMs } from '../times.ts';
import { mediaTypeOf } from '../types.ts';
import { abortParts, type Remover, releaseGrant, removeLateCopy } from '../uploads/close-upload.ts';
import { incomingKeyOf, previewOf } from '../urls.ts';
import { markRemoved } from './delete.ts';
import { type Invalidation, invalidationOf } from './invalidation.ts';
import type { FindMediaUsage, MediaUsage } from './usage.ts';

export interface SweepMediaPorts {
  readonly table: Table;
  readonly now: Clock;
  readonly findUsage: FindMediaUsage;
  readonly removeObject: (objectKey: string) => Promise<void>;
  readonly abortUpload: Remover['abortUpload'];
  /** Sends the message of an import that is due. */
  readonly enqueueImport: (message: ImportMessage) => Promise<void>;
  /** Drops the cached copies on the media host. Idempotent per reference. */
  readonly invalidate: (invalidation: Invalidation) => Promise<void>;
  /** Reports to operators that a file could not be processed. The sweep continues with the others. */
  readonly report: (key: Key, error: unknown) => void;
}

/** The numbers of processed files, by outcome. */
export type SweepMediaCount = Record<Outcome | 'failures', number>;

/**
 * The outcome for a file. `released`: its grant has ended. `closed`: its upload can no longer arrive. `resumed`: its
 * import continues. `kept`: it is still needed, or not old enough.
 */
type Outcome = 'released' | 'closed' | 'resumed' | 'removed' | 'restored' | 'cleanedUp' | 'kept';

/**
 * Processes every file that is due. Releases and closes unused grants, continues imports, removes deleted files, and
 * deletes files that were published 30 days ago and that no scheduled post, waiting chain step or draft needs. If posts
 * expire, a file expires after the same time unless a post refers to it. Continues page by page until no file is left
 * or the deadline has passed; the next sweep does the rest.
 *
 * @param deadlineMs epoch milliseconds; no new page starts after it
 */
export async function sweepMedia(ports: SweepMediaPorts, deadlineMs: number): Promise<SweepMediaCount> {
  const files = { released: 0, closed: 0, resumed: 0, removed: 0, restored: 0, cleanedUp: 0, kept: 0 };
  const count: SweepMediaCount = { ...files, failures: 0 };
  const fail = (key: Key, error: unknown) => {
    count.failures += 1;
    ports.report(key, error);
  };
  const range = { shards: allMediaShards, dueBefore: toTimestamp(ports.now() + 1), deadlineMs };
  await workDuePages(ports, range, async (page) => {
    const removed: WithoutObjects[] = [];
    for (const { key, item } of page) {
      try {
        const media = await sweepable(ports.table, key, item, ports.now());
        const outcome = await sweepFile(ports, media);
        if (typeof outcome === 'string') count[outcome] += 1;
        else removed.push({ key, media, ...outcome });
      } catch (error) {
        fail(key, error);
      }
    }
    await forgetRemoved(ports, removed, count, fail);
  });
  return count;
}

/** Processes one file. If the file changes in the meantime, the next sweep processes it. */
async function sweepFile(
  ports: SweepMediaPorts,
  media: Media,
): Promise<Exclude<Outcome, 'removed'> | { readonly renditions: RemovableRendition[] }> {
  if (media.removedAt !== undefined) return removeDeleted(ports, media);
  if (isImporting(media)) return resumeImport(ports, media);
  const bucket = { remove: ports.removeObject, abortUpload: ports.abortUpload };
  if (media.status === 'pending') return releaseGrant(ports.table, bucket, media, ports.now());
  if (await removeLateCopy(ports.table, bucket, media, ports.now())) return 'kept';
  return cleanUp(ports, media);
}

/** A deleted file whose objects were removed, and its renditions as they were then. */
interface WithoutObjects {
  readonly key: Key;
  readonly media: Media;
  readonly renditions: readonly RemovableRendition[];
}

/**
 * Takes the last step for files without objects: invalidates cached copies, then removes the records, that of the file last. If
 * the invalidation fails, the records stay, and the next sweep begins again with the objects.
 */
async function forgetRemoved(
  ports: SweepMediaPorts,
  removed: readonly WithoutObjects[],
  count: SweepMediaCount,
  fail: (key: Key, error: unknown) => void,
): Promise<void> {
  const invalidation = invalidationOf(
    removed.map(({ media, renditions }) => ({
      media,
      renditionKeys: [
        ...renditions.filter(({ status }) => status === 'ready').map(({ objectKey }) => objectKey),
        ...(media.hasPreview ? [previewOf(media.objectKey)] : []),
      ],
    })),
  );
  try {
    if (invalidation) await ports.invalidate(invalidation);
  } catch (error) {
    for (const { key } of removed) fail(key, error);
    return;
  }
  for (const { key, media, renditions } of removed) {
    try {
      // A record that has changed meanwhile may have new objects: the next sweep begins again.
      const isDeleted =
        (await areForgotten(ports.table, renditions)) && (await deleteMediaRecord(ports.table, media));
      count[isDeleted ? 'removed' : 'kept'] += 1;
    } catch (error) {
      fail(key, error);
    }
  }
}

/** Deletes the records of renditions. @returns false if one has changed since its object was removed */
async function areForgotten(table: Table, renditions: readonly RemovableRendition[]): Promise<boolean> {
  const deleted = await Promise.all(renditions.map((rendition) => deleteRendition(table, rendition)));
  return deleted.every(Boolean);
}

/**
 * Removes the objects of a deleted file and of its renditions before their records, so that no object is left without a record. A
 * file that is marked as removed gets no further renditions. A worker that makes one now either changes its record, which then
 * stays for the next sweep, or finds it gone and removes its own object.
 */
async function removeDeleted(
  ports: SweepMediaPorts,
  media: Media,
): Promise<'restored' | { readonly renditions: RemovableRendition[] }> {
  const { table } = ports;
  const usage = await ports.findUsage(table, media, ports.now());
  const isNeeded =
    usage.scheduledPostId !== undefined ||
    usage.isTooMany ||
    (media.removal === 'cleanup' && usage.draftPostId);
  if (isNeeded) {
    // A request stored a post while the file was being marked. That request saw the file, so the file must exist.
    const reservedBytes = media.status === 'ready' ? (media.sizeBytes ?? 0) : 0;
    const returned = { ...media, removedAt: undefined };
    const dueAt = toTimestamp(ports.now() + (isImporting(returned) ? 0 : keptMs));
    const changes = { reservedBytes, removedAt: null, removal: null, dueAt };
    await settleMedia(table, media, changes, { mayExceed: true });
    return 'restored';
  }
  const uses = await queryAll(table, { partition: mediaUsesPartition(media.workspaceId, media.id) });
  await batchWrite(table, { deletes: uses as unknown as Key[] });
  await abortParts(ports, media);
  // The upload first: without it, no worker that is still running can make the public object again.
  await ports.removeObject(incomingKeyOf(media.objectKey));
  await ports.removeObject(media.objectKey);
  // Whether or not the record says so: whoever stored one may have failed between the object and the record.
  if (mediaTypeOf(media.contentType) === 'video') await ports.removeObject(previewOf(media.objectKey));
  const renditions = await renditionsOf(table, media.workspaceId, media.id);
  await Promise.all(renditions.map(({ objectKey }) => ports.removeObject(objectKey)));
  return { renditions };
}

/** Returns true if no post refers to the file any more, and it has reached the age at which posts expire in this stage. */
function isForgotten(
  { table, now }: SweepMediaPorts,
  { createdAt }: Media,
  { isReferredTo = false }: MediaUsage,
): boolean {
  const { posts: days } = retentionOf(table);
  return days !== undefined && !isReferredTo && Date.parse(createdAt) + days * dayMs <= now();
}

/**
 * Deletes a file that is no longer needed. Checks every file at least every 30 days, so that the day 30 days after a
 * publication is never missed.
 */
async function cleanUp(ports: SweepMediaPorts, media: Media): Promise<'cleanedUp' | 'kept'> {
  const now = ports.now();
  const usage = await ports.findUsage(ports.table, media, now);
  const { scheduledPostId, draftPostId, isTooMany, publishedAt } = usage;
  const isNeeded = scheduledPostId !== undefined || draftPostId !== undefined || isTooMany === true;
  const endMs = publishedAt === undefined ? undefined : Date.parse(publishedAt) + keptMs;
  // The record of an invalid file stays only to show the reason.
  const isOver =
    media.status === 'invalid' || (endMs !== undefined && endMs <= now) || isForgotten(ports, media, usage);
  if (isOver && !isNeeded)
    return (await markRemoved(ports.table, media, 'cleanup', now)) ? 'cleanedUp' : 'kept';
  const nextMs = endMs !== undefined && endMs > now ? endMs : now + keptMs;
  const { reservedBytes } = media;
  await settleMedia(ports.table, media, { reservedBytes, dueAt: toTimestamp(nextMs) });
  return 'kept';
}

/** The fields of a file that the sweep reads. It does not need the probe, so an invalid one does no harm. */
const SweptMedia = Media.omit({ probe: true });

/** The time for which a record that cannot be read is left alone, so that operators get one alarm a day. */
const damagedWaitMs = dayMs;

/**
 * Reads a file that is due. A record that cannot be read may be from a newer release, so it is left alone for a day,
 * unless the file was deleted.
 *
 * @param nowMs epoch milliseconds
 * @throws ZodError if the record cannot be read
 */
async function sweepable(table: Table, key: Key, item: Item, nowMs: number): Promise<Media> {
  const { success, data, error } = SweptMedia.safeParse(item);
  if (success) return data;
  const media = shownMediaFromItem(item, table);
  if (media?.removedAt !== undefined) return media;
  const dueAt = toTimestamp(nowMs + damagedWaitMs);
  await updateItem(table, key, { set: { dueAt }, if: { dueAt: String(item['dueAt']) } });
  throw error;
}

/** The shortest time for which the sweep leaves an import alone after it has sent its message. */
const shortestPauseMs = 2 * minuteMs;

const longestPauseMs = 30 * minuteMs;

/**
 * Returns the time at which the sweep sends a message again that no worker has taken. The pause is as long as the
 * import has waited, so it doubles: an import that only waits for its turn in the queue adds few messages to it.
 */
function nextMessageAt({ notBefore }: StoredImport, now: number): string {
  const waitedMs = now - Date.parse(notBefore);
  return toTimestamp(now + Math.min(longestPauseMs, Math.max(shortestPauseMs, waitedMs)));
}

/**
 * Sends another message for an import that is due: its message was lost, its worker has crashed, its wait is over, or
 * its inspection has lost it. Removes the file of a post that was never stored.
 */
async function resumeImport(
  ports: SweepMediaPorts,
  media: ImportingMedia,
): Promise<'resumed' | 'cleanedUp' | 'kept'> {
  const { table, now } = ports;
  const { awaitsPost, ...progress } = media.import;
  if (awaitsPost && !(await isUsed(ports, media)))
    return (await markRemoved(table, media, 'cleanup', now())) ? 'cleanedUp' : 'kept';
  const { workspaceId, id: mediaId, reservedBytes } = media;
  const changes = { reservedBytes, import: progress, dueAt: nextMessageAt(progress, now()) };
  if ((await settleMedia(table, media, changes)) !== 'settled') return 'kept';
  await ports.enqueueImport({ workspaceId, mediaId });
  return 'resumed';
}

async function isUsed({ table, now, findUsage }: SweepMediaPorts, media: ImportingMedia): Promise<boolean> {
  const usage = await findUsage(table, media, now());
  return Object.values(usage).some((value) => value !== undefined && value !== false);
}
