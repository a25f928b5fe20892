import { type Clock, dayMs, toTimestamp } from '../../kernel/clock.ts';
import { workDuePages } from '../../overdue/due-pages.ts';
import { batchWrite } from '../../table/batch-write.ts';
import { type Item, updateItem } from '../../table/items.ts';
import { allMediaShards, type Key, mediaUsesPartition } from '../../table/keys.ts';
import { queryAll } from '../../table/query.ts';
import type { Table } from '../../table/table.ts';
import { Media } from '../schemas.ts';
import { deleteMediaRecord, settleMedia } from '../store.ts';
import { shownMediaFromItem } from '../stored-media.ts';
import { keptMs, releaseGrant } from '../uploads/complete-upload.ts';
import { markRemoved } from './delete.ts';
import type { FindMediaUsage } from './usage.ts';

export interface SweepMediaPorts {
  readonly table: Table;
  readonly now: Clock;
  readonly findUsage: FindMediaUsage;
  readonly removeObject: (objectKey: string) => Promise<void>;
  /** Tells operators that a file could not be processed. The sweep continues with the others. */
  readonly report: (key: Key, error: unknown) => void;
}

/** How many files were processed, by outcome. */
export type SweepMediaCount = Record<Outcome | 'failures', number>;

/** `released`: a grant has ended. `kept`: a file is still needed, or not old enough. */
type Outcome = 'released' | 'removed' | 'restored' | 'cleanedUp' | 'kept';

/**
 * Processes every file that is due. Releases unused grants, removes deleted files, and deletes files that were published
 * 30 days ago and that no scheduled post, waiting chain step or draft needs. Continues page by page until no file is left
 * or the deadline has passed; the next sweep does the rest.
 *
 * @param deadlineMs epoch milliseconds; no new page starts after it
 */
export async function sweepMedia(ports: SweepMediaPorts, deadlineMs: number): Promise<SweepMediaCount> {
  const count: SweepMediaCount = { released: 0, removed: 0, restored: 0, cleanedUp: 0, kept: 0, failures: 0 };
  const range = { shards: allMediaShards, dueBefore: toTimestamp(ports.now() + 1), deadlineMs };
  await workDuePages(ports, range, async (page) => {
    for (const { key, item } of page) {
      try {
        const outcome = await sweepItem(ports, key, item);
        count[outcome] += 1;
      } catch (error) {
        count.failures += 1;
        ports.report(key, error);
      }
    }
  });
  return count;
}

/** The sweep does not need the probe, so one that is not valid does no harm. */
const SweptMedia = Media.omit({ probe: true });

/** How long a record that cannot be read is left alone, so that operators get one alarm a day. */
const damagedWaitMs = dayMs;

/**
 * A record that cannot be read may be from a newer release, so it stays, except if the file was deleted.
 *
 * @throws ZodError if it cannot be read
 */
async function sweepItem(ports: SweepMediaPorts, key: Key, item: Item): Promise<Outcome> {
  const { success, data, error } = SweptMedia.safeParse(item);
  if (success) return sweepFile(ports, data);
  const { table } = ports;
  const media = shownMediaFromItem(item, table);
  if (media?.removedAt !== undefined) return removeDeleted(ports, media);
  const dueAt = toTimestamp(ports.now() + damagedWaitMs);
  await updateItem(table, key, { set: { dueAt }, if: { dueAt: String(item['dueAt']) } });
  throw error;
}

/** If the file changes in the meantime, the next sweep processes it. */
async function sweepFile(ports: SweepMediaPorts, media: Media): Promise<Outcome> {
  if (media.removedAt !== undefined) return removeDeleted(ports, media);
  if (media.status === 'pending') {
    await releaseGrant(ports.table, media, ports.now());
    return 'released';
  }
  return cleanUp(ports, media);
}

/** Removes a deleted file: the object before its record, so that no object is left without a record. */
async function removeDeleted(ports: SweepMediaPorts, media: Media): Promise<Outcome> {
  const { table } = ports;
  const usage = await ports.findUsage(table, media, ports.now());
  const isNeeded =
    usage.scheduledPostId !== undefined ||
    usage.isTooMany ||
    (media.removal === 'cleanup' && usage.draftPostId);
  if (isNeeded) {
    // A request stored a post while the file was being marked. That request saw the file, so the file must exist.
    const reservedBytes = media.status === 'ready' ? (media.sizeBytes ?? 0) : 0;
    const dueAt = toTimestamp(ports.now() + keptMs);
    const changes = { reservedBytes, removedAt: null, removal: null, dueAt };
    await settleMedia(table, media, changes, { mayExceed: true });
    return 'restored';
  }
  const uses = await queryAll(table, { partition: mediaUsesPartition(media.workspaceId, media.id) });
  await batchWrite(table, { deletes: uses as unknown as Key[] });
  await ports.removeObject(media.objectKey);
  await deleteMediaRecord(table, media);
  return 'removed';
}

/** Checks a file at least every 30 days, so that the day 30 days after a publication is never missed. */
async function cleanUp(ports: SweepMediaPorts, media: Media): Promise<Outcome> {
  const now = ports.now();
  const { scheduledPostId, draftPostId, isTooMany, publishedAt } = await ports.findUsage(
    ports.table,
    media,
    now,
  );
  const isNeeded = scheduledPostId !== undefined || draftPostId !== undefined || isTooMany === true;
  const endMs = publishedAt === undefined ? undefined : Date.parse(publishedAt) + keptMs;
  // An invalid file has no object any more. Its record stays only to show the reason.
  const isExpired = media.status === 'invalid' || (endMs !== undefined && endMs <= now);
  if (isExpired && !isNeeded)
    return (await markRemoved(ports.table, media, 'cleanup', now)) ? 'cleanedUp' : 'kept';
  const nextMs = endMs !== undefined && endMs > now ? endMs : now + keptMs;
  const { reservedBytes } = media;
  await settleMedia(ports.table, media, { reservedBytes, dueAt: toTimestamp(nextMs) });
  return 'kept';
}
