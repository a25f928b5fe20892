import type { Context } from '../../../lib/api-contract/context.ts';
import { hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { deleteMedia } from '../../../lib/media/retention/delete.ts';
import { type SweepMediaCount, sweepMedia } from '../../../lib/media/retention/sweep.ts';
import type { Media } from '../../../lib/media/schemas.ts';
import { findMedia, reserveMedia } from '../../../lib/media/store.ts';
import { completeUpload } from '../../../lib/media/uploads/complete-upload.ts';
import { findMediaUsage } from '../../../lib/posts/media-usage.ts';
import type { Table } from '../../../lib/table/table.ts';
import { getWorkspace } from '../../../lib/workspaces/store.ts';
import { aMedia, openWorkspace, startMs } from '../../support/builders.ts';

export const grantedMs = 2 * hourMs;

/** A bucket in memory that keeps each object's size and whether its content fits its type. */
function memoryBucket() {
  const objects = new Map<string, { sizeBytes: number; etag: string; isFit: boolean }>();
  let uploads = 0;
  return {
    objects,
    put: (objectKey: string, sizeBytes: number, isFit: boolean) => {
      uploads += 1;
      objects.set(objectKey, { sizeBytes, etag: `"${uploads}"`, isFit });
    },
    describe: async (objectKey: string) => {
      const object = objects.get(objectKey);
      return object && { sizeBytes: object.sizeBytes, etag: object.etag };
    },
    inspect: async (objectKey: string, { etag }: { etag: string }) => {
      const object = objects.get(objectKey);
      if (object?.etag !== etag) return { state: 'changed' } as const;
      if (!object.isFit) return { state: 'unfit', reason: 'the file is text/html, not image/jpeg' } as const;
      return { state: 'fit', probe: { width: 4, height: 3 } } as const;
    },
    remove: async (objectKey: string) => {
      objects.delete(objectKey);
    },
  };
}

export type Storage = Awaited<ReturnType<typeof openStorage>>;

/** A workspace with this storage quota, its own bucket and its own clock. */
export async function openStorage(table: Table, storageQuotaBytes = 1_000) {
  const { context } = await openWorkspace(table, { storageQuotaBytes });
  const { workspaceId } = context;
  const bucket = memoryBucket();
  let now = startMs;
  const contextNow = (): Context => ({ ...context, now });
  return {
    workspaceId,
    bucket,
    contextNow,
    now: () => now,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    grant: async (declaredBytes: number): Promise<Media | undefined> => {
      const { sizeBytes: _none, ...media } = aMedia(workspaceId, {
        status: 'pending',
        reservedBytes: declaredBytes,
      });
      const outcome = await reserveMedia(table, media, toTimestamp(now + grantedMs));
      return outcome === 'reserved' ? media : undefined;
    },
    free: async () => (await getWorkspace(table, workspaceId)).storageFreeBytes,
    find: (media: Media) => findMedia(table, workspaceId, media.id),
    upload: (media: Media, sizeBytes: number, isFit = true) => bucket.put(media.objectKey, sizeBytes, isFit),
    arrived: (media: Media) => completeUpload(table, bucket, media.objectKey, now),
    delete: (media: Media) => deleteMedia({ ...contextNow(), findUsage: findMediaUsage }, media.id),
    /** Sweeps the whole table, but removes objects only from this workspace's bucket. */
    sweep: (): Promise<SweepMediaCount> =>
      sweepMedia(
        {
          table,
          now: () => now,
          findUsage: findMediaUsage,
          removeObject: bucket.remove,
          report: (key, error) => {
            throw new Error(`${key.pk} ${key.sk}`, { cause: error });
          },
        },
        Number.POSITIVE_INFINITY,
      ),
  };
}

export function granted(media: Media | undefined): Media {
  if (!media) throw new Error('the grant was refused');
  return media;
}
