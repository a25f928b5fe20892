import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { mediaArrived, releaseGrant } from '../../../lib/media/arrive.ts';
import type { Media } from '../../../lib/media/schemas.ts';
import { findMedia, reserveMedia, settleMedia } from '../../../lib/media/store.ts';
import type { Table } from '../../../lib/table/table.ts';
import { getWorkspace } from '../../../lib/workspaces/index.ts';
import { aMedia, openWorkspace, startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';

const quotaBytes = 1_000;
const releaseAt = toTimestamp(startMs + 7_200_000);

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** A bucket that holds sizes alone. */
function memoryBucket() {
  const objects = new Map<string, number>();
  return {
    objects,
    describe: async (objectKey: string) => {
      const sizeBytes = objects.get(objectKey);
      return sizeBytes === undefined ? undefined : { sizeBytes, etag: `"${sizeBytes}"` };
    },
    remove: async (objectKey: string) => {
      objects.delete(objectKey);
    },
  };
}

async function openStorage(storageQuotaBytes = quotaBytes) {
  const { context } = await openWorkspace(table, { storageQuotaBytes });
  const { workspaceId } = context;
  const bucket = memoryBucket();
  const grant = async (declaredBytes: number): Promise<Media | undefined> => {
    const media = aMedia(workspaceId, { status: 'pending', reservedBytes: declaredBytes });
    delete (media as { sizeBytes?: number }).sizeBytes;
    return (await reserveMedia(table, media, releaseAt)) === 'reserved' ? media : undefined;
  };
  return {
    workspaceId,
    bucket,
    grant,
    free: async () => (await getWorkspace(table, workspaceId)).storageFreeBytes,
    find: (media: Media) => findMedia(table, workspaceId, media.id),
    upload: (media: Media, bytes: number) => bucket.objects.set(media.objectKey, bytes),
    arrived: (media: Media) => mediaArrived(table, bucket, media.objectKey),
    release: (media: Media) => releaseGrant(table, workspaceId, media.id),
  };
}

const granted = (media: Media | undefined): Media => {
  if (!media) throw new Error('the grant was refused');
  return media;
};

describe('a grant', () => {
  it('takes what was declared from the quota, up to its last byte and no further', async () => {
    const storage = await openStorage();
    granted(await storage.grant(600));
    expect(await storage.grant(401)).toBeUndefined();
    granted(await storage.grant(400));
    expect(await storage.free()).toBe(0);
    granted(await storage.grant(0));
  });

  it('of twenty at once is given only as often as there is room', async () => {
    const storage = await openStorage();
    const grants = await Promise.all(Array.from({ length: 20 }, () => storage.grant(100)));
    expect(grants.filter((media) => media !== undefined)).toHaveLength(10);
    expect(await storage.free()).toBe(0);
  });

  it('in an unknown workspace is refused as that', async () => {
    const media = aMedia('0190a0e0-0000-7000-8000-000000000000', { reservedBytes: 1 });
    expect(await reserveMedia(table, media, releaseAt)).toBe('no such workspace');
  });
});

describe('a file that arrives', () => {
  it('counts by its real size, once, however often it is told of', async () => {
    const storage = await openStorage();
    const media = granted(await storage.grant(300));
    storage.upload(media, 250);
    const told = await Promise.all([1, 2, 3, 4].map(() => storage.arrived(media)));
    expect([...told, await storage.arrived(media)]).toEqual(Array(5).fill('ready'));
    expect(await storage.find(media)).toMatchObject({ status: 'ready', sizeBytes: 250, reservedBytes: 250 });
    expect(await storage.free()).toBe(750);
  });

  it('in the place of another counts instead of it', async () => {
    const storage = await openStorage();
    const media = granted(await storage.grant(300));
    storage.upload(media, 300);
    await storage.arrived(media);
    storage.upload(media, 100);
    await storage.arrived(media);
    expect(await storage.free()).toBe(900);
    expect(await storage.find(media)).toMatchObject({ sizeBytes: 100, etag: '"100"' });
  });

  it('over the quota is removed and marked, and counts nothing', async () => {
    const storage = await openStorage();
    granted(await storage.grant(900));
    const media = granted(await storage.grant(0));
    storage.upload(media, 101);
    expect(await storage.arrived(media)).toBe('invalid');
    expect(storage.bucket.objects.size).toBe(0);
    expect(await storage.find(media)).toMatchObject({
      status: 'invalid',
      reservedBytes: 0,
      statusMessage: 'the storage quota was exceeded',
    });
    expect(await storage.free()).toBe(100);
  });

  it('larger than any platform takes is removed and marked, and counts nothing', async () => {
    const storage = await openStorage(100 * 1024 ** 2);
    const media = granted(await storage.grant(1_000));
    storage.upload(media, 30 * 1024 ** 2 + 1);
    expect(await storage.arrived(media)).toBe('invalid');
    expect(await storage.find(media)).toMatchObject({ statusMessage: 'the file is larger than is allowed' });
    expect(await storage.free()).toBe(100 * 1024 ** 2);
  });

  it('after its grant was released counts all the same', async () => {
    const storage = await openStorage();
    const media = granted(await storage.grant(300));
    await storage.release(media);
    expect(await storage.free()).toBe(1_000);
    storage.upload(media, 200);
    expect(await storage.arrived(media)).toBe('ready');
    await storage.release(media);
    expect(await storage.free()).toBe(800);
  });

  it('that is gone again changes nothing', async () => {
    const storage = await openStorage();
    const media = granted(await storage.grant(300));
    expect(await storage.arrived(media)).toBe('gone');
    expect(await storage.free()).toBe(700);
  });

  it('without a grant is removed', async () => {
    const storage = await openStorage();
    const stray = aMedia(storage.workspaceId);
    const renamed = { ...granted(await storage.grant(10)) };
    renamed.objectKey = renamed.objectKey.replace('image', 'other');
    storage.upload(stray, 10);
    storage.upload(renamed, 10);
    expect(await storage.arrived(stray)).toBe('not ours');
    expect(await storage.arrived(renamed)).toBe('not ours');
    expect(storage.bucket.objects.size).toBe(0);
  });

  it('under a key that no grant of ours has is left alone', async () => {
    const bucket = memoryBucket();
    bucket.objects.set('other/file', 1);
    expect(await mediaArrived(table, bucket, 'other/file')).toBe('not ours');
    expect(bucket.objects.size).toBe(1);
  });
});

it('settles by what it has read, or not at all', async () => {
  const storage = await openStorage();
  const media = granted(await storage.grant(300));
  const settle = (reservedBytes: number) =>
    settleMedia(table, media, { status: 'ready', reservedBytes, sizeBytes: reservedBytes });
  expect((await Promise.all([settle(100), settle(200)])).sort()).toEqual(['changed', 'settled']);
  const found = await storage.find(media);
  expect(await storage.free()).toBe(1_000 - (found?.reservedBytes ?? 0));
});

describe('the usage is exact', () => {
  type Step =
    | { kind: 'grant'; bytes: number }
    | { kind: 'upload' | 'arrived' | 'release'; file: number; bytes: number };
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ kind: fc.constant('grant' as const), bytes: fc.nat(600) }),
    fc.record({
      kind: fc.constantFrom('upload' as const, 'arrived' as const, 'release' as const),
      file: fc.nat(3),
      bytes: fc.nat(900),
    }),
  );

  it('after any sequence of grants, uploads, arrivals and releases, told twice and in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
        const storage = await openStorage();
        const files: Media[] = [];
        const model = new Map<Media, { reserved: number; status: Media['status'] }>();
        const free = () => quotaBytes - [...model.values()].reduce((sum, { reserved }) => sum + reserved, 0);
        for (const next of steps) {
          if (next.kind === 'grant') {
            const fits = next.bytes <= free();
            const media = await storage.grant(next.bytes);
            expect(media !== undefined).toBe(fits);
            if (media) {
              files.push(media);
              model.set(media, { reserved: next.bytes, status: 'pending' });
            }
            continue;
          }
          const media = files[next.file];
          const known = media && model.get(media);
          if (!media || !known) continue;
          const size = storage.bucket.objects.get(media.objectKey);
          if (next.kind === 'upload') storage.upload(media, next.bytes);
          if (next.kind === 'release') {
            await storage.release(media);
            if (known.status === 'pending') known.reserved = 0;
          }
          if (next.kind === 'arrived') {
            await storage.arrived(media);
            if (size === undefined) continue;
            const fits = size - known.reserved <= free();
            Object.assign(
              known,
              fits ? { reserved: size, status: 'ready' } : { reserved: 0, status: 'invalid' },
            );
          }
        }
        expect(await storage.free()).toBe(free());
        for (const [media, { status, reserved }] of model) {
          expect(await storage.find(media)).toMatchObject({ status, reservedBytes: reserved });
        }
      }),
      { numRuns: 40 },
    );
  });

  it('however many are told of the same and of other things at once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(500), { minLength: 1, maxLength: 5 }), async (sizes) => {
        const storage = await openStorage();
        const files = await Promise.all(sizes.map(() => storage.grant(0)));
        await Promise.all(
          files.flatMap((media, index) => {
            if (!media) return [];
            storage.upload(media, sizes[index] ?? 0);
            return [storage.arrived(media), storage.release(media), storage.arrived(media)];
          }),
        );
        const found = await Promise.all(files.map((media) => media && storage.find(media)));
        const used = found.reduce((sum, media) => sum + (media?.reservedBytes ?? 0), 0);
        expect(await storage.free()).toBe(quotaBytes - used);
        expect(used).toBe([...storage.bucket.objects.values()].reduce((sum, bytes) => sum + bytes, 0));
      }),
      { numRuns: 15 },
    );
  });
});
