import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '../../../lib/kernel/clock.ts';
import { invalidationOf } from '../../../lib/media/retention/invalidation.ts';
import { sweepMedia } from '../../../lib/media/retention/sweep.ts';
import { objectKeyFor } from '../../../lib/media/urls.ts';
import { findMediaUsage } from '../../../lib/posts/stored/media-usage.ts';
import type { Table } from '../../../lib/table/table.ts';
import { createTestTable } from '../../support/table.ts';
import { granted, openStorage } from './fixture.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const file = (
  workspaceId: string,
  id: string,
  changes: object = {},
  renditionKeys: readonly string[] = [],
) => ({
  media: {
    workspaceId,
    objectKey: objectKeyFor(workspaceId, id, 'a.jpg'),
    status: 'ready' as const,
    removal: 'asked' as const,
    ...changes,
  },
  renditionKeys,
});

describe('the invalidation of removed files', () => {
  it('names each file', () => {
    expect(invalidationOf([file('w1', '1'), file('w2', '2')])?.paths).toEqual([
      '/media/w1/1/a.jpg',
      '/media/w2/2/a.jpg',
    ]);
  });

  it('names the renditions of a file, and counts them like files', () => {
    const keys = (count: number) => Array.from({ length: count }, (_, index) => `media/w1/1/${index}.jpg`);
    expect(invalidationOf([file('w1', '1', {}, keys(2))])?.paths).toEqual([
      '/media/w1/1/0.jpg',
      '/media/w1/1/1.jpg',
      '/media/w1/1/a.jpg',
    ]);
    expect(invalidationOf([file('w1', '1', {}, keys(9))])?.paths).toEqual(['/media/w1/*']);
  });

  it('names the workspace instead of ten of its files', () => {
    const files = Array.from({ length: 10 }, (_, index) => file('w1', String(index)));
    expect(invalidationOf([...files, file('w2', '2')])?.paths).toEqual(['/media/w1/*', '/media/w2/2/a.jpg']);
  });

  it('leaves out files that were never public, and those that the cleanup removed', () => {
    expect(
      invalidationOf([
        file('w1', '1', { status: 'invalid' }),
        file('w1', '2', { status: 'pending' }),
        file('w1', '3', { removal: 'cleanup' }),
      ]),
    ).toBeUndefined();
  });

  it('has the same reference for the same files in any order, and another for others', () => {
    const [one, two, three] = [file('w1', '1'), file('w1', '2'), file('w1', '3')];
    const reference = invalidationOf([one, two])?.reference;
    expect(invalidationOf([two, one])?.reference).toBe(reference);
    expect(invalidationOf([one, three])?.reference).not.toBe(reference);
  });
});

describe('the sweep', () => {
  it('invalidates a deleted file after its object is gone and before its record is', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 300);
    await storage.arrived(media);
    await storage.delete(media);
    storage.pass(minuteMs);
    await storage.sweep();
    expect(storage.invalidations.map(({ paths }) => paths)).toEqual([[`/${media.objectKey}`]]);
    expect(await storage.find(media)).toBeUndefined();
  });

  it('keeps the record, and tries again, until the invalidation is accepted', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 300);
    await storage.arrived(media);
    await storage.delete(media);
    storage.pass(minuteMs);
    const failures: unknown[] = [];
    const count = await sweepMedia(
      {
        table,
        now: storage.now,
        findUsage: findMediaUsage,
        removeObject: storage.bucket.remove,
        abortUpload: storage.bucket.abortUpload,
        enqueueImport: async () => {},
        invalidate: () => Promise.reject(new Error('too many invalidations')),
        report: (_key, error) => failures.push(error),
      },
      Number.POSITIVE_INFINITY,
    );
    expect(count.failures).toBe(failures.length);
    expect(failures).toContainEqual(new Error('too many invalidations'));
    expect(storage.served(media)).toBeUndefined();
    expect(await storage.find(media)).toBeDefined();
    await storage.sweep();
    expect(storage.invalidations).toHaveLength(1);
    expect(await storage.find(media)).toBeUndefined();
  });

  it('leaves the record of a closed grant for a month, then removes it', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 300);
    await storage.giveUp(media);
    for (const days of [1, 30]) {
      expect(await storage.find(media)).toMatchObject({ status: 'invalid' });
      storage.pass(days * dayMs);
      await storage.sweep();
    }
    storage.pass(minuteMs);
    await storage.sweep();
    expect(await storage.find(media)).toBeUndefined();
    expect(storage.invalidations).toEqual([]);
  });
});
