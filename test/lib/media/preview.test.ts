import { beforeAll, describe, expect, it } from 'vitest';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { storePreview } from '../../../lib/media/preview.ts';
import type { Media } from '../../../lib/media/schemas.ts';
import { findMedia } from '../../../lib/media/store.ts';
import { previewOf } from '../../../lib/media/urls.ts';
import { seesMedia } from '../../../lib/posts/stored/visible-media.ts';
import type { Table } from '../../../lib/table/table.ts';
import { openWorkspace, storeMedia } from '../../support/builders.ts';
import { smallJpeg } from '../../support/small-jpeg.ts';
import { createTestTable } from '../../support/table.ts';
import { openStorage } from './fixture.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const video = { filename: 'a.webm', contentType: 'video/webm' } as const;

async function open(changes: Partial<Media> = video) {
  const { context } = await openWorkspace(table);
  const media = await storeMedia(table, context.workspaceId, changes);
  const puts: { key: string; bytes: Uint8Array }[] = [];
  const putNewObject = async (key: string, bytes: Uint8Array) => void puts.push({ key, bytes });
  const store = (data = smallJpeg) => storePreview({ ...context, seesMedia, putNewObject }, media.id, data);
  return { context, media, puts, store };
}

describe('the preview of a video', () => {
  it('is stored once, beside the file', async () => {
    const { context, media, puts, store } = await open();
    expect(await store()).toMatchObject({ hasPreview: true });
    expect(await store()).toMatchObject({ hasPreview: true });
    expect(puts.map(({ key }) => key)).toEqual([previewOf(media.objectKey)]);
    expect(Buffer.from(puts[0]?.bytes ?? []).toString('base64')).toBe(smallJpeg);
    expect(await findMedia(table, context.workspaceId, media.id)).toMatchObject({
      hasPreview: true,
      reservedBytes: media.reservedBytes,
      version: media.version + 1,
    });
  });

  it('waits until the file is inspected', async () => {
    const { puts, store } = await open({ ...video, status: 'pending' });
    await expect(store()).rejects.toMatchObject({ code: 'media_pending' });
    expect(puts).toEqual([]);
  });

  const jpeg = Buffer.from(smallJpeg, 'base64');
  it.each([
    ['a text', Buffer.from('<script>alert(1)</script>')],
    ['a picture that is cut off', jpeg.subarray(0, -20)],
    ['a picture with something behind it', Buffer.concat([jpeg, Buffer.from('<script>')])],
    [
      'another kind of picture',
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    ],
    [
      'a picture of too many bytes',
      Buffer.concat([
        jpeg.subarray(0, 2),
        Buffer.from([0xff, 0xfe, 0xff, 0xff]),
        Buffer.alloc(65_533),
        jpeg.subarray(2),
      ]),
    ],
    ['nothing', Buffer.alloc(0)],
  ])('is not %s', async (_, bytes) => {
    const { puts, store } = await open();
    await expect(store(bytes.toString('base64'))).rejects.toMatchObject({ code: 'field_format' });
    expect(puts).toEqual([]);
  });

  it.each([
    ['an image', {}],
    ['a video that cannot be used', { ...video, status: 'invalid' }],
  ] as const)('is not stored for %s', async (_, changes) => {
    const { puts, store } = await open(changes);
    await expect(store()).rejects.toMatchObject({ code: 'media_type' });
    expect(puts).toEqual([]);
  });

  it('does not exist for another workspace', async () => {
    const { media } = await open();
    const { context } = await openWorkspace(table);
    const putNewObject = async () => expect.unreachable();
    await expect(
      storePreview({ ...context, seesMedia, putNewObject }, media.id, smallJpeg),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is removed with the file, also if the record does not know it', async () => {
    const storage = await openStorage(table);
    const media = await storeMedia(table, storage.workspaceId, video);
    storage.bucket.put(media.objectKey, 300, true);
    storage.bucket.put(previewOf(media.objectKey), 3, true);
    await storage.delete(media);
    storage.pass(2 * minuteMs);
    await storage.sweep();
    expect([...storage.bucket.objects.keys()]).toEqual([]);
  });
});
