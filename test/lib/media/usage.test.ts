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
  it('takes the declared size from the quota, down to the last byte', async () => {
    const storage = await openStorage(table);
    granted(await storage.grant(600));
    expect(await storage.grant(401)).toBeUndefined();
    granted(await storage.grant(399));
    granted(await storage.grant(0));
    granted(await storage.grant(1));
    expect(await storage.free()).toBe(0);
    expect(await storage.grant(0)).toBeUndefined();
  });

  it('never exceeds the quota when twenty are requested concurrently', async () => {
    const storage = await openStorage(table);
    const grants = await Promise.all(Array.from({ length: 20 }, () => storage.grant(100)));
    expect(grants.filter((media) => media !== undefined)).toHaveLength(10);
    expect(await storage.free()).toBe(0);
  });

  it('is refused in an unknown workspace, with that reason', async () => {
    const media = aMedia('0190a0e0-0000-7000-8000-000000000000', { reservedBytes: 1 });
    expect(await reserveMedia(table, media, releaseAt)).toBe('no such workspace');
  });
});

describe('an uploaded file', () => {
  it('counts with its real size, once, however often its arrival is notified', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 250);
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => storage.arrived(media)));
    expect([...outcomes, await storage.arrived(media)]).toEqual(Array(5).fill('ready'));
    expect(await storage.find(media)).toMatchObject({ status: 'ready', sizeBytes: 250, reservedBytes: 250 });
    expect(await storage.free()).toBe(750);
  });

  it('counts as it is, although another one is uploaded with the same grant later', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 300);
    await storage.arrived(media);
    storage.upload(media, 100);
    expect(await storage.arrived(media)).toBe('ready');
    expect(await storage.free()).toBe(700);
    expect(await storage.find(media)).toMatchObject({ sizeBytes: 300, etag: '"1"', sha256: 'sha256 of "1"' });
    expect([...storage.bucket.objects.keys()]).toEqual([media.objectKey]);
  });

  it('over the quota is removed and marked as invalid, and does not count', async () => {
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

  it('of the wrong type is removed and marked with the reason, and does not count', async () => {
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

  it('that replaces an invalid one is ready', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 300, false);
    await storage.arrived(media);
    storage.upload(media, 200);
    expect(await storage.arrived(media)).toBe('ready');
    const found = await storage.find(media);
    expect(found).toMatchObject({ status: 'ready', reservedBytes: 200, probe: { width: 200, height: 3 } });
    expect(found).not.toHaveProperty('statusMessage');
  });

  it('is inspected once, however often its arrival is notified', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 250);
    await storage.arrived(media);
    const before = await storage.find(media);
    await storage.arrived(media);
    expect(await storage.find(media)).toEqual(before);
  });

  it('that is larger than any platform accepts is removed and marked as invalid, and does not count', async () => {
    const storage = await openStorage(table, 100 * 1024 ** 2);
    const media = granted(await storage.grant(1_000));
    storage.upload(media, 30 * 1024 ** 2 + 1);
    expect(await storage.arrived(media)).toBe('invalid');
    expect(await storage.find(media)).toMatchObject({
      statusMessage: 'the file is larger than 31457280 bytes',
    });
    expect(await storage.free()).toBe(100 * 1024 ** 2);
  });

  it('still counts if it arrives after its grant was released', async () => {
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

  it('that is already gone changes nothing', async () => {
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

  it('under a key that is not of our form is left alone', async () => {
    const { bucket } = await openStorage(table);
    bucket.put('other/file', 1, true);
    expect(await completeUpload(table, bucket, 'other/file', startMs)).toBe('not ours');
    expect(bucket.objects.size).toBe(1);
  });
});

it('settles with the version that it read, or not at all', async () => {
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
  ['ready', 'invalid'],
  ['invalid', 'pending'],
] as const)('refuses to move a file from %s to %s, and writes nothing', async (from, to) => {
  const storage = await openStorage(table);
  const media = granted(await storage.grant(300));
  storage.upload(media, 250, from === 'ready');
  await storage.arrived(media);
  const [before, free] = [await storage.find(media), await storage.free()];
  const attempt = async () =>
    settleMedia(table, granted(before), { status: to, reservedBytes: 100, dueAt: null });
  await expect(attempt()).rejects.toThrow(ForbiddenMoveError);
  expect(before).toMatchObject({ status: from });
  expect([await storage.find(media), await storage.free()]).toEqual([before, free]);
});
