import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { incomingKeyOf } from '../../../lib/media/urls.ts';
import type { Table } from '../../../lib/table/table.ts';
import { createTestTable } from '../../support/table.ts';
import { granted, openStorage } from './fixture.ts';

const quotaBytes = 1_000;

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** Grants uploads without a size, lets all of them arrive together, and notes what the quota and the media host had meanwhile. */
async function arriveTogether(sizes: readonly number[], notifications: number) {
  const storage = await openStorage(table, quotaBytes);
  const files = (await Promise.all(sizes.map(() => storage.grant(0)))).map(granted);
  const publicBytes = () => files.reduce((sum, media) => sum + (storage.served(media)?.sizeBytes ?? 0), 0);
  const seen = { free: await storage.free(), publicBytes: 0 };
  storage.bucket.before(async () => {
    const free = await storage.free();
    seen.free = Math.min(seen.free, free);
    seen.publicBytes = Math.max(seen.publicBytes, publicBytes());
  });
  for (const [index, media] of files.entries()) storage.upload(media, sizes[index] ?? 0);
  await Promise.all(
    files.flatMap((media) => Array.from({ length: notifications }, () => storage.arrived(media))),
  );
  const found = await Promise.all(files.map((media) => storage.find(media)));
  return { storage, files, found, seen, publicBytes };
}

it('files without a size that arrive together never take more than the quota, and what is over is removed and says why', async () => {
  const cases = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 2, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(cases, fc.integer({ min: 1, max: 3 }), async (sizes, notifications) => {
      const { storage, files, found, seen, publicBytes } = await arriveTogether(sizes, notifications);
      expect(seen.free).toBeGreaterThanOrEqual(0);
      expect(seen.publicBytes).toBeLessThanOrEqual(quotaBytes);
      for (const [index, media] of files.entries()) {
        expect(storage.bucket.objects.has(incomingKeyOf(media.objectKey))).toBe(false);
        const isServed = storage.served(media) !== undefined;
        expect(found[index]).toMatchObject(
          isServed
            ? { status: 'ready', reservedBytes: sizes[index] }
            : { status: 'invalid', reservedBytes: 0, statusMessage: 'the storage quota was exceeded' },
        );
      }
      expect(await storage.free()).toBe(quotaBytes - publicBytes());
    }),
    { numRuns: 25 },
  );
});

it('a file that was over the quota may be uploaded with its grant again, once there is room', async () => {
  const { storage, files, found } = await arriveTogether([600, 600], 1);
  const over = files[found.findIndex((media) => media?.status === 'invalid')];
  const kept = files.find((media) => media !== over);
  if (!over || !kept) throw new Error('both files fit');
  await storage.delete(kept);
  storage.pass(minuteMs);
  storage.upload(over, 600);
  expect(await storage.arrived(over)).toBe('ready');
  expect(await storage.find(over)).toMatchObject({ status: 'ready', reservedBytes: 600 });
  expect(await storage.free()).toBe(quotaBytes - 600);
});
