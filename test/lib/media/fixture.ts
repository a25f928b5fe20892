import type { Context } from '../../../lib/api-contract/context.ts';
import { hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import type { ImportMessage } from '../../../lib/media/imports/schemas.ts';
import { deleteMedia } from '../../../lib/media/retention/delete.ts';
import type { Invalidation } from '../../../lib/media/retention/invalidation.ts';
import { type SweepMediaCount, sweepMedia } from '../../../lib/media/retention/sweep.ts';
import type { Media } from '../../../lib/media/schemas.ts';
import { findMedia, reserveMedia } from '../../../lib/media/store.ts';
import { giveUpUpload } from '../../../lib/media/uploads/close-upload.ts';
import { completeUpload } from '../../../lib/media/uploads/complete-upload.ts';
import { incomingKeyOf } from '../../../lib/media/urls.ts';
import { findMediaUsage } from '../../../lib/posts/stored/media-usage.ts';
import { isInHiddenDraft, seesMedia } from '../../../lib/posts/stored/visible-media.ts';
import type { Table } from '../../../lib/table/table.ts';
import { getWorkspace } from '../../../lib/workspaces/store.ts';
import { aMedia, openWorkspace, startMs } from '../../support/builders.ts';

export const grantedMs = 2 * hourMs;

interface MemoryObject {
  readonly sizeBytes: number;
  readonly etag: string;
  readonly isFit: boolean;
}

/** Hook just before a call of the bucket: tests interrupt or delay it here. */
type Before = (
  call: 'describe' | 'inspect' | 'publish' | 'remove' | 'abort' | 'complete',
  objectKey: string,
) => unknown;

/** The digest that the bucket reports for an object. */
export const sha256Of = ({ etag }: { etag: string }): string => `sha256 of ${etag}`;

/** A bucket in memory that keeps each object's size and whether its content fits its type. */
function memoryBucket() {
  const objects = new Map<string, MemoryObject>();
  let uploads = 0;
  /** Uploads in parts, by id. */
  const inParts = new Map<string, { objectKey: string; parts: Map<number, number> }>();
  let before: Before = () => undefined;
  /** Keys of public objects, in the order in which they were written. */
  const published: string[] = [];
  return {
    objects,
    published,
    before: (hook: Before) => {
      before = hook;
    },
    put: (objectKey: string, sizeBytes: number, isFit: boolean) => {
      uploads += 1;
      objects.set(objectKey, { sizeBytes, etag: `"${uploads}"`, isFit });
    },
    describe: async (objectKey: string) => {
      await before('describe', objectKey);
      const object = objects.get(objectKey);
      if (!object) return undefined;
      const { sizeBytes, etag } = object;
      return { sizeBytes, etag, ...(published.includes(objectKey) && { sha256: sha256Of(object) }) };
    },
    inspect: async (objectKey: string, { etag }: { etag: string }) => {
      await before('inspect', objectKey);
      const object = objects.get(objectKey);
      if (object?.etag !== etag) return { state: 'changed' } as const;
      if (!object.isFit) return { state: 'unfit', reason: 'the file is text/html, not image/jpeg' } as const;
      return { state: 'fit', probe: { width: object.sizeBytes, height: 3 } } as const;
    },
    publish: async (upload: { incomingKey: string; objectKey: string; etag: string }) => {
      await before('publish', upload.objectKey);
      const source = objects.get(upload.incomingKey);
      if (source?.etag !== upload.etag || objects.has(upload.objectKey)) return undefined;
      objects.set(upload.objectKey, source);
      published.push(upload.objectKey);
      return { sha256: sha256Of(source) };
    },
    remove: async (objectKey: string, etag?: string) => {
      await before('remove', objectKey);
      if (etag === undefined || objects.get(objectKey)?.etag === etag) objects.delete(objectKey);
    },
    abortUpload: async (objectKey: string, uploadId: string) => {
      await before('abort', objectKey);
      inParts.delete(uploadId);
    },
    inParts,
    /** Sends a part, as a client does. @returns false if its upload has ended */
    sendPart: (uploadId: string, number: number, sizeBytes: number): boolean =>
      inParts.get(uploadId)?.parts.set(number, sizeBytes) !== undefined,
    clientUploads: {
      begin: async (objectKey: string) => {
        uploads += 1;
        inParts.set(`upload ${uploads}`, { objectKey, parts: new Map() });
        return `upload ${uploads}`;
      },
      sign: async (part: { uploadId: string; number: number; sizeBytes: number }) =>
        `${part.uploadId}, part ${part.number}, ${part.sizeBytes} bytes`,
      list: async (_objectKey: string, uploadId: string) => {
        const upload = inParts.get(uploadId);
        return (
          upload &&
          [...upload.parts].map(([number, sizeBytes]) => ({ number, sizeBytes, etag: `"${sizeBytes}"` }))
        );
      },
      complete: async (
        objectKey: string,
        uploadId: string,
        parts: readonly { number: number; sizeBytes: number }[],
      ) => {
        await before('complete', objectKey);
        const upload = inParts.get(uploadId);
        if (!upload) return 'gone' as const;
        if (parts.some(({ number, sizeBytes }) => upload.parts.get(number) !== sizeBytes))
          return 'changed' as const;
        inParts.delete(uploadId);
        uploads += 1;
        const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0);
        objects.set(objectKey, { sizeBytes, etag: `"${uploads}-${parts.length}"`, isFit: true });
        return 'completed' as const;
      },
    },
  };
}

export type Storage = Awaited<ReturnType<typeof openStorage>>;

/** A workspace with this storage quota, its own bucket and its own clock. */
export async function openStorage(table: Table, storageQuotaBytes = 1_000) {
  const { context } = await openWorkspace(table, { storageQuotaBytes });
  const { workspaceId } = context;
  const bucket = memoryBucket();
  const invalidations: Invalidation[] = [];
  /** The messages of imports that the sweep has sent. */
  const imports: ImportMessage[] = [];
  let now = startMs;
  const contextNow = (): Context => ({ ...context, now });
  return {
    workspaceId,
    bucket,
    invalidations,
    imports,
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
    upload: (media: Media, sizeBytes: number, isFit = true) =>
      bucket.put(incomingKeyOf(media.objectKey), sizeBytes, isFit),
    arrived: (media: Media) => completeUpload(table, bucket, incomingKeyOf(media.objectKey), now),
    giveUp: (media: Media) => giveUpUpload(table, bucket, incomingKeyOf(media.objectKey), now),
    /** The file as the media host serves it. */
    served: (media: Media) => bucket.objects.get(media.objectKey),
    delete: (media: Media) =>
      deleteMedia({ ...contextNow(), findUsage: findMediaUsage, seesMedia, isInHiddenDraft }, media.id),
    /** Sweeps the whole table, but removes objects only from this workspace's bucket. */
    sweep: (): Promise<SweepMediaCount> =>
      sweepMedia(
        {
          table,
          now: () => now,
          findUsage: findMediaUsage,
          removeObject: bucket.remove,
          abortUpload: bucket.abortUpload,
          enqueueImport: async (message) => {
            // The table has files of other tests' workspaces too.
            if (message.workspaceId === workspaceId) imports.push(message);
          },
          invalidate: async (invalidation) => {
            // The table has files of other tests' workspaces too.
            if (invalidation.paths.some((path) => path.includes(workspaceId)))
              invalidations.push(invalidation);
          },
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
