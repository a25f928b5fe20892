import * as fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../../lib/kernel/clock.ts';
import type { Media } from '../../../../lib/media/schemas.ts';
import { completeParts, partBytes } from '../../../../lib/media/uploads/parts.ts';
import { presignMedia } from '../../../../lib/media/uploads/presign.ts';
import { seesMedia } from '../../../../lib/posts/stored/visible-media.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { createTestTable } from '../../../support/table.ts';
import { openStorage } from '../fixture.ts';

const quotaBytes = 40_000_000;
const sizeBytes = partBytes + 5;

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** A workspace with a file in parts, and what may happen to it. */
async function openUpload() {
  const storage = await openStorage(table, quotaBytes);
  const { bucket } = storage;
  const context = () => ({
    ...storage.contextNow(),
    mediaBaseUrl: 'https://media.example.com',
    signUpload: async () => '',
    clientUploads: bucket.clientUploads,
    describeObject: bucket.describe,
    seesMedia,
  });
  const { mediaId } = await presignMedia(context(), { filename: 'film.mp4', size: sizeBytes, parts: true });
  const media = await storage.find({ id: mediaId } as Media);
  if (media?.parts === undefined) throw new Error('no upload in parts');
  const { uploadId } = media.parts;
  const happens = {
    'sends the first part': async () => bucket.sendPart(uploadId, 1, partBytes),
    'sends the last part': async () => bucket.sendPart(uploadId, 2, 5),
    'sends a wrong part': async () => bucket.sendPart(uploadId, 1, 5),
    completes: () => completeParts(context(), media.id),
    'completes, and ends before it hears of it': () => {
      const { clientUploads } = context();
      const complete = async (...request: Parameters<typeof clientUploads.complete>) => {
        await clientUploads.complete(...request);
        throw new Error('no answer');
      };
      return completeParts({ ...context(), clientUploads: { ...clientUploads, complete } }, media.id);
    },
    'sends the whole file': async () => storage.upload(media, sizeBytes),
    'sends a file that is unfit': async () => storage.upload(media, 7, false),
    'sends a smaller file': async () => storage.upload(media, 9),
    arrives: () => storage.arrived(media),
    'cannot be inspected': () => storage.giveUp(media),
    'is deleted': () => storage.delete(media),
    'waits a minute': async () => storage.pass(2 * minuteMs),
    'waits a day': async () => storage.pass(dayMs),
    'is swept': () => storage.sweep(),
  } as const;
  return { ...storage, media, happens };
}

type Happening = keyof Awaited<ReturnType<typeof openUpload>>['happens'];
const happenings: readonly Happening[] = [
  'sends the first part',
  'sends the last part',
  'sends a wrong part',
  'completes',
  'completes, and ends before it hears of it',
  'sends the whole file',
  'sends a file that is unfit',
  'sends a smaller file',
  'arrives',
  'cannot be inspected',
  'is deleted',
  'waits a minute',
  'waits a day',
  'is swept',
];

/** The next step, alone or at the same time as the one before, and the call of the bucket that fails meanwhile. */
const step = fc.record({
  what: fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom<Happening>('sends the first part', 'sends the last part') },
    { weight: 2, arbitrary: fc.constantFrom<Happening>('completes', 'arrives') },
    { weight: 3, arbitrary: fc.constantFrom(...happenings) },
  ),
  isWithNext: fc.boolean(),
  failsAt: fc.option(fc.integer({ min: 1, max: 5 }), { freq: 3, nil: undefined }),
});

it('an upload in parts leaves neither parts nor reserved bytes, whatever happens to it', async () => {
  const ends = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const upload = await openUpload();
      const { bucket, media } = upload;
      let running: Promise<unknown>[] = [];
      for (const { what, isWithNext, failsAt } of steps) {
        let calls = 0;
        bucket.before(() => {
          calls += 1;
          if (calls === failsAt) throw new Error('the bucket does not answer');
        });
        running.push(upload.happens[what]().catch(() => undefined));
        if (isWithNext) continue;
        await Promise.all(running);
        running = [];
      }
      await Promise.all(running);
      bucket.before(() => undefined);
      expect(await upload.free()).toBeLessThanOrEqual(quotaBytes);
      // Every message is delivered in the end, and sweeps go on.
      for (let days = 0; days < 4; days += 1) {
        await upload.arrived(media);
        await upload.sweep();
        upload.pass(dayMs + hourMs);
      }
      const found = await upload.find(media);
      const served = upload.served(media);
      ends.add(found?.removedAt === undefined ? (found?.status ?? 'gone') : 'removed');
      expect(bucket.inParts.size).toBe(0);
      expect([...bucket.objects.keys()]).toEqual(served ? [media.objectKey] : []);
      expect(found?.status === 'ready').toBe(served !== undefined);
      expect(await upload.free()).toBe(quotaBytes - (served?.sizeBytes ?? 0));
      expect(bucket.published.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 150 },
  );
  expect(ends).toContain('ready');
  expect(ends).toContain('invalid');
});
