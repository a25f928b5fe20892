import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { minuteMs } from '../../../../lib/kernel/clock.ts';
import type { ImageRecipe } from '../../../../lib/media/renditions/recipe.ts';
import {
  readRenditions,
  renditionItem,
  renditionsOf,
  requestRendition,
} from '../../../../lib/media/renditions/records.ts';
import { sweepMedia } from '../../../../lib/media/retention/sweep.ts';
import type { Media } from '../../../../lib/media/schemas.ts';
import { findMediaUsage } from '../../../../lib/posts/stored/media-usage.ts';
import { present } from '../../../../lib/table/condition.ts';
import { updateItem } from '../../../../lib/table/items.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { createTestTable } from '../../../support/table.ts';
import { granted, openStorage, type Storage } from '../fixture.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const recipe: ImageRecipe = {
  kind: 'image',
  contentType: 'image/jpeg',
  widthPixels: 1_080,
  heightPixels: 1_350,
  maxBytes: 8_000_000,
  background: '#ffffff',
};

async function uploaded(): Promise<{ storage: Storage; media: Media }> {
  const storage = await openStorage(table);
  const media = granted(await storage.grant(300));
  storage.upload(media, 300);
  await storage.arrived(media);
  return { storage, media };
}

const ask = (storage: Storage, media: Media, widthPixels = 1_080) =>
  requestRendition(
    { table, now: storage.now, enqueueRendition: async () => {} },
    { workspaceId: storage.workspaceId, mediaId: media.id, recipe: { ...recipe, widthPixels } },
  );

/** The steps of a worker that makes the file's rendition. The last one happens again if the message is delivered twice. */
function worker(storage: Storage, media: Media) {
  let key: string | undefined;
  const find = async () => {
    const name = { workspaceId: storage.workspaceId, mediaId: media.id, recipe };
    return (await readRenditions(table, [name]))[0];
  };
  return [
    async () => {
      key = (await find())?.objectKey;
    },
    async () => {
      if (key !== undefined) storage.bucket.put(key, 3, true);
    },
    async () => {
      if (key === undefined) return;
      const rendition = await find();
      const isMarked =
        rendition !== undefined &&
        (
          await updateItem(table, renditionItem(rendition) as never, {
            set: { status: 'ready', sizeBytes: 3, version: rendition.version + 1 },
            if: { pk: present, status: 'wanted' },
          })
        ).written;
      if (!isMarked && (await find()) === undefined) await storage.bucket.remove(key);
    },
  ];
}

async function work(steps: readonly (() => Promise<void>)[]): Promise<void> {
  for (const step of steps) await step();
}

/** Sweeps, and lets something else happen after one of the sweep's removals and invalidations. */
async function sweepCrossed(storage: Storage, afterCall: number, cross: () => Promise<void>): Promise<void> {
  let calls = 0;
  const noted = async () => {
    calls += 1;
    if (calls === afterCall) await cross();
  };
  const ports = {
    ...{ table, now: storage.now, findUsage: findMediaUsage, enqueueImport: async () => {} },
    abortUpload: storage.bucket.abortUpload,
    removeObject: async (objectKey: string) => {
      await storage.bucket.remove(objectKey);
      await noted();
    },
    invalidate: noted,
    report: (_key: unknown, error: unknown) => {
      throw error;
    },
  };
  await sweepMedia(ports, Number.POSITIVE_INFINITY);
}

describe('the removal of a file with renditions', () => {
  it('removes their objects and records, and invalidates their cached copies', async () => {
    const { storage, media } = await uploaded();
    await ask(storage, media);
    await ask(storage, media, 500);
    await work(worker(storage, media));
    expect(storage.bucket.objects.size).toBe(2);
    await storage.delete(media);
    storage.pass(minuteMs);
    await storage.sweep();
    expect([...storage.bucket.objects.keys()]).toEqual([]);
    expect(await renditionsOf(table, storage.workspaceId, media.id)).toEqual([]);
    expect(await storage.find(media)).toBeUndefined();
    expect(storage.invalidations[0]?.paths).toEqual([
      `/${media.objectKey}`,
      expect.stringMatching(/\/renditions\/[0-9a-f]{32}\.jpg$/),
    ]);
  });

  it('leaves nothing behind, whenever a worker makes one, also in the middle of a sweep', async () => {
    const step = fc.record({ steps: fc.nat(3), afterCall: fc.nat(5) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 4 }), async (order) => {
        const { storage, media } = await uploaded();
        await ask(storage, media);
        await storage.delete(media);
        storage.pass(minuteMs);
        const steps = worker(storage, media);
        for (const { steps: taken, afterCall } of order) {
          await sweepCrossed(storage, afterCall, () => work(steps.splice(0, taken)));
        }
        await work(steps);
        await storage.sweep();
        await storage.sweep();
        expect([...storage.bucket.objects.keys()]).toEqual([]);
        expect(await renditionsOf(table, storage.workspaceId, media.id)).toEqual([]);
        expect(await storage.find(media)).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  it('begins no further rendition of a file that is being deleted', async () => {
    const { storage, media } = await uploaded();
    await storage.delete(media);
    expect(await ask(storage, media)).toEqual({ state: 'no file' });
  });
});
