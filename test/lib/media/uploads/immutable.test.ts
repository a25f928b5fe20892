import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../../lib/kernel/clock.ts';
import type { Media } from '../../../../lib/media/schemas.ts';
import { incomingKeyOf } from '../../../../lib/media/urls.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { referenceTo, storePost } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { granted, grantedMs, openStorage, type Storage, sha256Of } from '../fixture.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** Checks that the served file and its record agree, and that nothing is served that no record accepts. */
async function verify(storage: Storage, media: Media): Promise<void> {
  const found = await storage.find(media);
  const served = storage.served(media);
  expect(served !== undefined).toBe(found?.status === 'ready');
  expect(await storage.free()).toBe(1_000 - (served?.sizeBytes ?? 0));
  if (!served) return;
  const { sizeBytes, etag } = served;
  expect(found).toMatchObject({ sizeBytes, etag, sha256: sha256Of(served), probe: { width: sizeBytes } });
}

describe('an accepted file', () => {
  it('is served from its public key, with the digest of its bytes, and its upload is removed', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 300);
    expect(storage.served(media)).toBeUndefined();
    expect(await storage.arrived(media)).toBe('ready');
    expect([...storage.bucket.objects.keys()]).toEqual([media.objectKey]);
    await verify(storage, media);
  });

  it.each([
    ['a valid file', 200, true],
    ['an invalid file', 200, false],
    ['a file over the quota', 5_000, true],
  ])('stays as it is when the upload URL is used again for %s', async (_what, sizeBytes, isFit) => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 300);
    await storage.arrived(media);
    const before = await storage.find(media);
    storage.upload(media, sizeBytes, isFit);
    expect(await storage.arrived(media)).toBe('ready');
    expect(await storage.find(media)).toEqual(before);
    expect([...storage.bucket.objects.keys()]).toEqual([media.objectKey]);
    await verify(storage, media);
  });

  it.each(['describe', 'inspect', 'publish'] as const)(
    'is the one that was inspected, although another is uploaded just before %s',
    async (call) => {
      const storage = await openStorage(table);
      const media = granted(await storage.grant(300));
      storage.upload(media, 300);
      let isReplaced = false;
      storage.bucket.before((next) => {
        if (next !== call || isReplaced) return;
        isReplaced = true;
        storage.upload(media, 200, false);
      });
      expect(await storage.arrived(media)).toBe('invalid');
      expect(storage.bucket.objects.size).toBe(0);
      await verify(storage, media);
    },
  );

  it('is described by its own inspection if another worker has copied it and stopped', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 250);
    const upload = storage.bucket.objects.get(incomingKeyOf(media.objectKey));
    const keys = { incomingKey: incomingKeyOf(media.objectKey), objectKey: media.objectKey };
    await storage.bucket.publish({ ...keys, etag: upload?.etag ?? '' });
    storage.upload(media, 100, false);
    expect(await storage.arrived(media)).toBe('ready');
    await verify(storage, media);
    expect(await storage.find(media)).toMatchObject({ sizeBytes: 250, probe: { width: 250 } });
  });

  it('was paid for before it is served', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(0));
    storage.upload(media, 400);
    const freeWhenCopied: (number | undefined)[] = [];
    storage.bucket.before(async (call) => {
      if (call === 'publish') freeWhenCopied.push(await storage.free());
    });
    await storage.arrived(media);
    expect(freeWhenCopied).toEqual([600]);
    await verify(storage, media);
  });
});

describe('whatever interrupts or races', () => {
  it.each([
    ['an invalid file', 300, false],
    ['a file over the quota', 5_000, true],
  ])(
    'a valid file is accepted although it replaces %s while that is being removed',
    async (_what, size, isFit) => {
      const storage = await openStorage(table);
      const media = granted(await storage.grant(0));
      storage.upload(media, size, isFit);
      storage.bucket.before((call) => {
        if (call !== 'remove') return;
        storage.bucket.before(() => undefined);
        storage.upload(media, 200);
      });
      expect(await storage.arrived(media)).toBe('invalid');
      expect(await storage.arrived(media)).toBe('ready');
      await verify(storage, media);
    },
  );

  it('the file ends accepted, once, after a crash at any call', async () => {
    for (const declaredBytes of [300, 0]) {
      for (let crashAt = 1; ; crashAt += 1) {
        const storage = await openStorage(table);
        const media = granted(await storage.grant(declaredBytes));
        storage.upload(media, 300);
        let calls = 0;
        storage.bucket.before(() => {
          calls += 1;
          if (calls === crashAt) throw new Error('crashed');
        });
        const first = await storage.arrived(media).catch(() => 'crashed');
        storage.bucket.before(() => undefined);
        expect(await storage.arrived(media)).toBe('ready');
        expect(storage.bucket.published).toEqual([media.objectKey]);
        expect([...storage.bucket.objects.keys()]).toEqual([media.objectKey]);
        await verify(storage, media);
        if (first !== 'crashed') break;
      }
    }
  });

  const upload = fc.record({ sizeBytes: fc.integer({ min: 1, max: 1_200 }), isFit: fc.boolean() });
  const delays = fc.array(fc.nat(6), { minLength: 1, maxLength: 20 });

  it('the first copy stays as it is, and the record describes it', async () => {
    const uploads = fc.array(upload, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(uploads, fc.nat(500), delays, async (files, declaredBytes, pauses) => {
        const storage = await openStorage(table);
        const media = granted(await storage.grant(declaredBytes));
        let calls = 0;
        storage.bucket.before(async () => {
          calls += 1;
          for (let ticks = pauses[calls % pauses.length] ?? 0; ticks > 0; ticks -= 1)
            await new Promise((resolve) => setImmediate(resolve));
        });
        // Each upload is notified twice, and the next one does not wait for it.
        const work: Promise<unknown>[] = [];
        for (const { sizeBytes, isFit } of files) {
          storage.upload(media, sizeBytes, isFit);
          work.push(storage.arrived(media), storage.arrived(media));
          await work[work.length - 1];
        }
        await Promise.all(work);
        expect(storage.bucket.published.length).toBeLessThanOrEqual(1);
        expect(storage.bucket.objects.has(incomingKeyOf(media.objectKey))).toBe(false);
        await verify(storage, media);
      }),
      { numRuns: 40 },
    );
  });

  it('nothing is left of a deleted file', async () => {
    await fc.assert(
      fc.asyncProperty(
        upload,
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        async ({ sizeBytes, isFit }, at, isAgain) => {
          const storage = await openStorage(table);
          const media = granted(await storage.grant(0));
          storage.upload(media, sizeBytes, isFit);
          let calls = 0;
          storage.bucket.before(async () => {
            calls += 1;
            if (calls === at) await storage.delete(media);
            if (calls === at + 1) {
              storage.pass(2 * minuteMs);
              await storage.sweep();
              if (isAgain) storage.upload(media, sizeBytes, isFit);
            }
          });
          await storage.arrived(media);
          storage.bucket.before(() => undefined);
          if (calls < at) await storage.delete(media);
          await storage.arrived(media);
          for (let sweeps = 0; sweeps < 2; sweeps += 1) {
            storage.pass(2 * minuteMs);
            await storage.sweep();
          }
          expect(storage.bucket.objects.size).toBe(0);
          expect(await storage.find(media)).toBeUndefined();
          expect(await storage.free()).toBe(1_000);
        },
      ),
      { numRuns: 40 },
    );
  });
});

it('a deleted file whose record changes during the sweep is removed by the next one, and counted once', async () => {
  const storage = await openStorage(table);
  const media = granted(await storage.grant(300));
  await storage.delete(media);
  storage.bucket.before(async (call, key) => {
    if (call !== 'remove' || key !== media.objectKey) return;
    storage.bucket.before(() => undefined);
    storage.upload(media, 300);
    await storage.arrived(media);
  });
  const removed: number[] = [];
  for (let sweeps = 0; sweeps < 3; sweeps += 1) {
    storage.pass(2 * minuteMs);
    removed.push((await storage.sweep()).removed);
  }
  expect(removed).toEqual([0, 1, 0]);
  expect(storage.bucket.objects.size).toBe(0);
  expect(await storage.find(media)).toBeUndefined();
});

it('a file that was uploaded while it was being deleted is complete if a post needs it', async () => {
  const storage = await openStorage(table);
  const media = granted(await storage.grant(300));
  await storage.delete(media);
  // A request that read the file before it was marked stores a post.
  await storePost(table, storage.workspaceId, [{}], { mediaItems: [referenceTo(media)] });
  storage.upload(media, 250);
  expect(await storage.arrived(media)).toBe('ready');
  storage.pass(2 * minuteMs);
  await storage.sweep();
  await verify(storage, media);
});

describe('a file that cannot be inspected', () => {
  const failing = async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 300);
    storage.bucket.before((call) => {
      if (call === 'inspect') throw new Error('the probe failed');
    });
    await expect(storage.arrived(media)).rejects.toThrow('the probe failed');
    return { storage, media };
  };

  it('is invalid after the last try, its bytes are deleted, and it does not count', async () => {
    const { storage, media } = await failing();
    await storage.giveUp(media);
    expect(await storage.find(media)).toMatchObject({
      status: 'invalid',
      statusMessage: 'the file could not be inspected; get another upload URL and upload it again',
    });
    expect(storage.bucket.objects.size).toBe(0);
    await verify(storage, media);
  });

  it('stays invalid, and later uploads with its grant are removed', async () => {
    const { storage, media } = await failing();
    await storage.giveUp(media);
    storage.bucket.before(() => undefined);
    storage.upload(media, 300);
    expect(await storage.arrived(media)).toBe('invalid');
    expect(storage.bucket.objects.size).toBe(0);
    await verify(storage, media);
  });

  it('costs nothing but its record if no worker comes to give it up', async () => {
    const { storage, media } = await failing();
    storage.pass(grantedMs);
    expect((await storage.sweep()).released).toBeGreaterThan(0);
    expect(await storage.free()).toBe(1_000);
    storage.pass(dayMs);
    await storage.sweep();
    expect(await storage.find(media)).toMatchObject({
      status: 'invalid',
      statusMessage: 'the file was not uploaded in time',
    });
    expect(storage.bucket.objects.size).toBe(0);
  });

  it('is not served for longer than an hour if S3 finishes a copy for a worker that was frozen', async () => {
    const { storage, media } = await failing();
    const upload = storage.bucket.objects.get(incomingKeyOf(media.objectKey));
    await storage.giveUp(media);
    if (upload) storage.bucket.objects.set(media.objectKey, upload);
    storage.pass(hourMs);
    await storage.sweep();
    expect(storage.bucket.objects.size).toBe(0);
    expect(await storage.find(media)).toMatchObject({ status: 'invalid' });
    storage.pass(29 * dayMs);
    await storage.sweep();
    expect(await storage.find(media)).toMatchObject({ status: 'invalid' });
    storage.pass(dayMs);
    for (let sweeps = 0; sweeps < 2; sweeps += 1) {
      await storage.sweep();
      storage.pass(2 * minuteMs);
    }
    expect(await storage.find(media)).toBeUndefined();
  });

  it('is not given up if it was accepted', async () => {
    const storage = await openStorage(table);
    const media = granted(await storage.grant(300));
    storage.upload(media, 300);
    await storage.arrived(media);
    storage.upload(media, 300);
    await storage.giveUp(media);
    expect([...storage.bucket.objects.keys()]).toEqual([media.objectKey]);
    await verify(storage, media);
  });
});
