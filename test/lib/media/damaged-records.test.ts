import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, minuteMs } from '../../../lib/kernel/clock.ts';
import { getMedia, listMedia } from '../../../lib/media/read.ts';
import { deleteMedia } from '../../../lib/media/retention/delete.ts';
import { type SweepMediaCount, sweepMedia } from '../../../lib/media/retention/sweep.ts';
import type { Media } from '../../../lib/media/schemas.ts';
import { toMediaView } from '../../../lib/media/view.ts';
import { mediaFindings, mediaLookup } from '../../../lib/posts/planning/problems.ts';
import { findMediaUsage } from '../../../lib/posts/stored/media-usage.ts';
import { isInHiddenDraft, seesMedia } from '../../../lib/posts/stored/visible-media.ts';
import { batchGet } from '../../../lib/table/batch-get.ts';
import { getItem, updateItem } from '../../../lib/table/items.ts';
import { type Key, mediaKey, postKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { referenceTo, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { granted, openStorage, type Storage } from './fixture.ts';

let table: Table;
let reported: Key[] = [];
beforeAll(async () => {
  table = { ...(await createTestTable()), report: (key) => reported.push(key) };
});
beforeEach(() => {
  reported = [];
});

const keyOf = ({ workspaceId, id }: Media): Key => mediaKey(workspaceId, id);
const change = (key: Key, set: object) => updateItem(table, key, { set: { ...set }, if: { pk: key.pk } });

/** Two files that are ready; the record of the first one has these attributes. */
async function openDamaged(attributes: object): Promise<Storage & { damaged: Media; sound: Media }> {
  const storage = await openStorage(table);
  const [damaged, sound] = [granted(await storage.grant(300)), granted(await storage.grant(300))];
  for (const media of [damaged, sound]) {
    storage.upload(media, 300);
    await storage.arrived(media);
  }
  await change(keyOf(damaged), attributes);
  return { ...storage, damaged, sound };
}

/** Sweeps this workspace's bucket. What the sweep reports is added to `failed`. */
function sweep(storage: Storage, failed: Key[]): Promise<SweepMediaCount> {
  const ports = {
    table,
    now: storage.now,
    findUsage: findMediaUsage,
    removeObject: storage.bucket.remove,
    abortUpload: storage.bucket.abortUpload,
    enqueueImport: async () => {},
    invalidate: async () => {},
    report: (key: Key) => failed.push(key),
  };
  return sweepMedia(ports, Number.POSITIVE_INFINITY);
}

const list = async (storage: Storage) =>
  (await listMedia({ ...storage.contextNow(), seesMedia }, { limit: 10 })).media;

describe('a file whose probe is not valid', () => {
  it.each([
    ['a codec that is not text', { width: 1, height: 1, videoCodec: {} }],
    ['a duration above all bounds', { durationMs: 8 * dayMs }],
    ['no object', 'none'],
  ])('(%s) is read and listed without it, and can be published and deleted', async (_what, probe) => {
    const { damaged, sound, ...storage } = await openDamaged({ probe });
    const shown = await list(storage);
    expect(shown.map(({ id, status, probe }) => [id, status, probe])).toEqual(
      expect.arrayContaining([
        [sound.id, 'ready', (await storage.find(sound))?.probe],
        [damaged.id, 'ready', undefined],
      ]),
    );
    expect(reported).toEqual([keyOf(damaged)]);
    expect(await storage.find(damaged)).toMatchObject({ status: 'ready', sizeBytes: 300 });
    await storage.delete(damaged);
    expect(await list(storage)).toHaveLength(1);
    storage.pass(2 * minuteMs);
    const failed: Key[] = [];
    await sweep(storage, failed);
    expect(failed).toEqual([]);
    expect(await getItem(table, keyOf(damaged))).toBeUndefined();
    expect([...storage.bucket.objects.keys()]).toEqual([sound.objectKey]);
  });
});

describe('a file whose record is damaged', () => {
  const attributes = { status: 7, filename: ['x'], contentType: null, createdAt: {}, etag: 1 };

  it('is shown as invalid with the reason, next to the others', async () => {
    const { damaged, sound, ...storage } = await openDamaged(attributes);
    const shown = (await list(storage)).map((media) => toMediaView(media, 'https://media.example.com'));
    expect(new Map(shown.map(({ id, status }) => [id, status]))).toEqual(
      new Map([
        [sound.id, 'ready'],
        [damaged.id, 'invalid'],
      ]),
    );
    expect((await getMedia({ ...storage.contextNow(), seesMedia }, damaged.id)).statusMessage).toContain(
      'record is damaged',
    );
    expect(reported).toEqual([keyOf(damaged), keyOf(damaged)]);
  });

  it('cannot be posted, and the field is named', async () => {
    const { damaged, sound, ...storage } = await openDamaged(attributes);
    const found = await batchGet(table, [keyOf(damaged), keyOf(sound)]);
    const references = [damaged, sound].map(referenceTo);
    const lookup = mediaLookup(found, storage.workspaceId);
    const { problems } = mediaFindings(references, 'mediaItems', lookup, undefined);
    expect(problems).toEqual([
      {
        field: 'mediaItems[0].url',
        code: 'media_unusable',
        message: expect.stringContaining('record is damaged'),
      },
    ]);
  });

  it('can be deleted, which gives its bytes back and removes its object', async () => {
    const { damaged, sound, ...storage } = await openDamaged(attributes);
    const before = await storage.free();
    await deleteMedia(
      { ...storage.contextNow(), findUsage: findMediaUsage, seesMedia, isInHiddenDraft },
      damaged.id,
    );
    expect((await storage.free()) - before).toBe(300);
    expect((await list(storage)).map(({ id }) => id)).toEqual([sound.id]);
    storage.pass(2 * minuteMs);
    await sweep(storage, []);
    expect(await getItem(table, keyOf(damaged))).toBeUndefined();
    expect([...storage.bucket.objects.keys()]).toEqual([sound.objectKey]);
  });

  it('is left alone by the sweep, which reports it once a day and processes the others', async () => {
    const { damaged, sound, ...storage } = await openDamaged(attributes);
    storage.pass(31 * dayMs);
    const failed: Key[] = [];
    const swept = await sweep(storage, failed);
    expect(failed).toContainEqual(keyOf(damaged));
    expect(swept.kept).toBeGreaterThanOrEqual(1);
    expect(await getItem(table, keyOf(damaged))).toMatchObject({ status: 7 });
    expect(storage.bucket.objects.size).toBe(2);
    const again: Key[] = [];
    await sweep(storage, again);
    expect(again).not.toContainEqual(keyOf(damaged));
    storage.pass(dayMs + minuteMs);
    await sweep(storage, again);
    expect(again).toContainEqual(keyOf(damaged));
    expect(await storage.find(sound)).toMatchObject({ status: 'ready' });
  });

  it('is left out, reported and not found if not even its key fields can be read', async () => {
    const { damaged, sound, ...storage } = await openDamaged({ version: 'two', objectKey: 7 });
    expect((await list(storage)).map(({ id }) => id)).toEqual([sound.id]);
    await expect(getMedia({ ...storage.contextNow(), seesMedia }, damaged.id)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(reported).toContainEqual(keyOf(damaged));
  });
});

it('a post that cannot be read counts as one that needs its files', async () => {
  const { damaged: file, ...storage } = await openDamaged({ filename: 'image.jpg' });
  const { post } = await storePost(table, storage.workspaceId, [{ status: 'draft' }], {
    status: 'draft',
    mediaItems: [referenceTo(file)],
  });
  await change(postKey(storage.workspaceId, post.id), { createdAt: 7 });
  await expect(storage.delete(file)).rejects.toMatchObject({
    code: 'media_in_use',
    message: expect.stringContaining(post.id),
  });
  expect(reported).toContainEqual(postKey(storage.workspaceId, post.id));
});
