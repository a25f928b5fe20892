import { beforeAll, describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { ForbiddenMoveError } from '../../../lib/kernel/life-cycle.ts';
import { reserveMedia, settleMedia } from '../../../lib/media/store.ts';
import { completeUpload } from '../../../lib/media/uploads/complete-upload.ts';
import type { Table } from '../../../lib/table/table.ts';
import { aMedia, startMs } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { granted, grantedMs, openStorage } from './fixture.ts';

const releaseAt = toTimestamp(startMs + grantedMs);

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

describe('a grant', () => {
  it('takes what was declared from the quota, up to its last byte and no further', async () => {
    const storage = await openStorage(table);
    granted(await storage.grant(600));
    expect(await storage.grant(401)).toBeUndefined();
    granted(await storage.grant(400));
    expect(await storage.free()).toBe(0);
    granted(await storage.grant(0));
  });

  it('of twenty at once is given only as often as there is room', async () => {
    const storage = await openStorage(table);
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
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 250);
    const told = await Promise.all([1, 2, 3, 4].map(() => storage.arrived(media)));
    expect([...told, await storage.arrived(media)]).toEqual(Array(5).fill('ready'));
    expect(await storage.find(media)).toMatchObject({ status: 'ready', sizeBytes: 250, reservedBytes: 250 });
    expect(await storage.free()).toBe(750);
  });

  it('in the place of another counts instead of it', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 300);
    await storage.arrived(media);
    storage.upload(media, 100);
    await storage.arrived(media);
    expect(await storage.free()).toBe(900);
    expect(await storage.find(media)).toMatchObject({ sizeBytes: 100, etag: '"2"' });
  });

  it('over the quota is removed and marked, and counts nothing', async () => {
    const storage = await openStorage(table);
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

  it('that is not what its type says is removed and marked with the reason, and counts nothing', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 300, false);
    expect(await storage.arrived(media)).toBe('invalid');
    expect(storage.bucket.objects.size).toBe(0);
    expect(await storage.find(media)).toMatchObject({
      status: 'invalid',
      reservedBytes: 0,
      statusMessage: 'the file is text/html, not image/jpeg',
    });
    expect(await storage.free()).toBe(1_000);
  });

  it('in the place of one that was invalid is ready', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 300, false);
    await storage.arrived(media);
    storage.upload(media, 200);
    expect(await storage.arrived(media)).toBe('ready');
    const found = await storage.find(media);
    expect(found).toMatchObject({ status: 'ready', reservedBytes: 200, probe: { width: 4, height: 3 } });
    expect(found).not.toHaveProperty('statusMessage');
  });

  it('is looked into once, however often it is told of', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 250);
    await storage.arrived(media);
    const before = await storage.find(media);
    await storage.arrived(media);
    expect(await storage.find(media)).toEqual(before);
  });

  it('larger than any platform takes is removed and marked, and counts nothing', async () => {
    const storage = await openStorage(table, 100 * 1024 ** 2);
    const media = granted(await storage.grant(1_000));
    storage.upload(media, 30 * 1024 ** 2 + 1);
    expect(await storage.arrived(media)).toBe('invalid');
    expect(await storage.find(media)).toMatchObject({
      statusMessage: 'the file is larger than 31457280 bytes',
    });
    expect(await storage.free()).toBe(100 * 1024 ** 2);
  });

  it('after its grant was released counts all the same', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.pass(grantedMs);
    await storage.sweep();
    expect(await storage.free()).toBe(1_000);
    storage.upload(media, 200);
    expect(await storage.arrived(media)).toBe('ready');
    await storage.sweep();
    expect(await storage.free()).toBe(800);
  });

  it('that is gone again changes nothing', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    expect(await storage.arrived(media)).toBe('gone');
    expect(await storage.free()).toBe(700);
  });

  it('without a grant is removed', async () => {
    const storage = await openStorage(table);
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
    const { bucket } = await openStorage(table);
    bucket.put('other/file', 1, true);
    expect(await completeUpload(table, bucket, 'other/file', startMs)).toBe('not ours');
    expect(bucket.objects.size).toBe(1);
  });
});

it('settles by what it has read, or not at all', async () => {
  const storage = await openStorage(table);
  const media = granted(await storage.grant(300));
  const settle = (reservedBytes: number) =>
    settleMedia(table, media, { status: 'ready', reservedBytes, dueAt: null });
  expect((await Promise.all([settle(100), settle(200)])).sort()).toEqual(['changed', 'settled']);
  const found = await storage.find(media);
  expect(await storage.free()).toBe(1_000 - (found?.reservedBytes ?? 0));
});

it.each([
  ['ready', 'pending'],
  ['invalid', 'pending'],
] as const)('a file never goes from %s to %s: that is refused, and nothing is written', async (from, to) => {
  const storage = await openStorage(table);
  const media = granted(await storage.grant(300));
  storage.upload(media, 250, from === 'ready');
  await storage.arrived(media);
  const [before, free] = [await storage.find(media), await storage.free()];
  const plant = async () =>
    settleMedia(table, granted(before), { status: to, reservedBytes: 100, dueAt: null });
  await expect(plant()).rejects.toThrow(ForbiddenMoveError);
  expect(before).toMatchObject({ status: from });
  expect([await storage.find(media), await storage.free()]).toEqual([before, free]);
});
