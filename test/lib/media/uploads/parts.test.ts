import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../../lib/kernel/clock.ts';
import type { Media } from '../../../../lib/media/schemas.ts';
import { largestVideoBytes } from '../../../../lib/media/types.ts';
import { completeParts, listParts, partBytes, partsOf } from '../../../../lib/media/uploads/parts.ts';
import { presignMedia } from '../../../../lib/media/uploads/presign.ts';
import { incomingKeyOf } from '../../../../lib/media/urls.ts';
import { seesMedia } from '../../../../lib/posts/stored/visible-media.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { auditLogOf } from '../../../support/audit-log.ts';
import { createTestTable } from '../../../support/table.ts';
import { openStorage } from '../fixture.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const sizeBytes = 2 * partBytes + 5;

/** A workspace of 100 MB with an upload of three parts. */
async function openUpload() {
  const storage = await openStorage(table, 100_000_000);
  const { bucket } = storage;
  const context = () => ({
    ...storage.contextNow(),
    mediaBaseUrl: 'https://media.example.com',
    signUpload: async () => 'https://bucket.example.com/',
    clientUploads: bucket.clientUploads,
    describeObject: bucket.describe,
    seesMedia,
  });
  const begin = async () => {
    const { mediaId } = await presignMedia(context(), { filename: 'film.mp4', size: sizeBytes, parts: true });
    const media = await storage.find({ id: mediaId } as Media);
    if (media?.parts === undefined) throw new Error('no upload in parts');
    return { media, uploadId: media.parts.uploadId };
  };
  const { media, uploadId } = await begin();
  const send = (...numbers: number[]) =>
    numbers.map((number) => bucket.sendPart(uploadId, number, number === 3 ? 5 : partBytes));
  return {
    ...storage,
    media,
    uploadId,
    send,
    list: () => listParts(context(), media.id),
    complete: () => completeParts(context(), media.id),
    context,
    current: async () => (await storage.find(media))?.status,
  };
}

it('cuts every accepted file into parts that S3 takes and lists at once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: largestVideoBytes }), (size) => {
      const parts = partsOf({ sizeBytes: size, partBytes });
      expect(parts.reduce((sum, part) => sum + part.sizeBytes, 0)).toBe(size);
      expect(parts.length).toBeLessThanOrEqual(1_000);
      expect(parts.slice(0, -1).every((part) => part.sizeBytes >= 5 * 1024 ** 2)).toBe(true);
      expect(parts.at(-1)?.sizeBytes).toBeGreaterThan(0);
    }),
  );
});

describe('the parts to send', () => {
  it('are those that have not arrived, each with its place, its size and a URL for exactly that', async () => {
    const upload = await openUpload();
    upload.send(2);
    expect(await upload.list()).toEqual({
      parts: [
        {
          partNumber: 1,
          offset: 0,
          size: partBytes,
          uploadUrl: `${upload.uploadId}, part 1, ${partBytes} bytes`,
        },
        {
          partNumber: 3,
          offset: 2 * partBytes,
          size: 5,
          uploadUrl: `${upload.uploadId}, part 3, 5 bytes`,
        },
      ],
      missingCount: 2,
      partCount: 3,
      expiresIn: 3_600,
    });
  });

  it('are signed 32 at a time', async () => {
    const storage = await openStorage(table, 2 * largestVideoBytes);
    const context = {
      ...storage.contextNow(),
      mediaBaseUrl: 'https://media.example.com',
      signUpload: async () => '',
      clientUploads: storage.bucket.clientUploads,
      seesMedia,
    };
    const body = { filename: 'film.mp4', size: largestVideoBytes, parts: true };
    const { mediaId } = await presignMedia(context, body);
    const { parts, missingCount } = await listParts(context, mediaId);
    expect([parts.length, missingCount]).toEqual([32, 128]);
  });

  it('count a part of another size as missing', async () => {
    const upload = await openUpload();
    upload.bucket.sendPart(upload.uploadId, 1, 6);
    expect((await upload.list()).missingCount).toBe(3);
  });
});

describe('an upload in parts', () => {
  it('becomes a file like any other', async () => {
    const upload = await openUpload();
    upload.send(3, 1, 2);
    expect((await upload.complete()).status).toBe('pending');
    expect(await upload.arrived(upload.media)).toBe('ready');
    expect(upload.served(upload.media)?.sizeBytes).toBe(sizeBytes);
    expect(await upload.free()).toBe(100_000_000 - sizeBytes);
  });

  it('has one entry in the audit log for its completion, however often it is asked for', async () => {
    const upload = await openUpload();
    upload.send(1, 2, 3);
    upload.bucket.before((call) => {
      if (call === 'complete') throw new Error('no answer');
    });
    await expect(upload.complete()).rejects.toThrow('no answer');
    upload.bucket.before(() => undefined);
    await upload.complete();
    await upload.complete();
    const log = await auditLogOf(table, upload.workspaceId);
    expect(log).toHaveLength(2);
  });

  it('is not completed while parts are missing, and names the first', async () => {
    const upload = await openUpload();
    upload.send(1);
    await expect(upload.complete()).rejects.toMatchObject({
      code: 'upload_incomplete',
      message: '2 of 3 parts have not arrived, beginning with part 2',
    });
    upload.send(2, 3);
    await upload.complete();
  });

  it.each(['before', 'after'])('may be completed again %s the file was inspected', async (when) => {
    const upload = await openUpload();
    upload.send(1, 2, 3);
    await upload.complete();
    if (when === 'after') await upload.arrived(upload.media);
    expect((await upload.complete()).status).toBe(when === 'after' ? 'ready' : 'pending');
    await upload.arrived(upload.media);
    expect(upload.bucket.published).toHaveLength(1);
  });

  it('may be completed twice at the same time', async () => {
    const upload = await openUpload();
    upload.send(1, 2, 3);
    const both = await Promise.all([upload.complete(), upload.complete()]);
    expect(both.map(({ id }) => id)).toEqual([upload.media.id, upload.media.id]);
  });

  it('is completed with the parts as they are, if one is sent again meanwhile', async () => {
    const upload = await openUpload();
    upload.send(1, 2, 3);
    let isFirst = true;
    upload.bucket.before((call) => {
      if (call !== 'complete' || !isFirst) return;
      isFirst = false;
      upload.bucket.sendPart(upload.uploadId, 3, 6);
    });
    await expect(upload.complete()).rejects.toMatchObject({ code: 'upload_incomplete' });
  });

  it('keeps its reservation for a day; then its parts are removed, and the bytes are free', async () => {
    const upload = await openUpload();
    upload.send(1, 2);
    upload.pass(dayMs - 1);
    await upload.sweep();
    expect(await upload.free()).toBe(100_000_000 - sizeBytes);
    expect(upload.bucket.inParts.size).toBe(1);
    upload.pass(1);
    await upload.sweep();
    expect(await upload.free()).toBe(100_000_000);
    expect(upload.bucket.inParts.size).toBe(0);
    expect(upload.send(3)).toEqual([false]);
    await expect(upload.list()).rejects.toMatchObject({ code: 'upload_ended' });
    await expect(upload.complete()).rejects.toMatchObject({ code: 'upload_ended' });
    upload.pass(dayMs);
    await upload.sweep();
    expect(await upload.current()).toBe('invalid');
  });

  it('signs nothing after a day, though the sweep is late', async () => {
    const upload = await openUpload();
    upload.pass(dayMs);
    await expect(upload.list()).rejects.toMatchObject({ code: 'upload_ended' });
  });

  it('counts if it is completed just before the sweep ends it', async () => {
    const upload = await openUpload();
    upload.send(1, 2, 3);
    upload.pass(dayMs);
    upload.bucket.before((call) => {
      if (call !== 'abort') return undefined;
      upload.bucket.before(() => undefined);
      return upload.complete();
    });
    await upload.sweep();
    expect(await upload.arrived(upload.media)).toBe('ready');
    expect(await upload.free()).toBe(100_000_000 - sizeBytes);
  });

  it('ends when the file is deleted, and its bytes are free', async () => {
    const upload = await openUpload();
    upload.send(1);
    await upload.delete(upload.media);
    expect(await upload.free()).toBe(100_000_000);
    upload.pass(hourMs);
    await upload.sweep();
    expect(upload.bucket.inParts.size).toBe(0);
    await expect(upload.list()).rejects.toMatchObject({ code: 'not_found' });
    await expect(upload.complete()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('leaves nothing if the file is deleted while it is completed', async () => {
    const upload = await openUpload();
    upload.send(1, 2, 3);
    upload.bucket.before((call) => (call === 'complete' ? upload.delete(upload.media) : undefined));
    await upload.complete();
    await upload.arrived(upload.media);
    upload.pass(hourMs);
    await upload.sweep();
    expect([...upload.bucket.objects.keys()]).toEqual([]);
    expect(await upload.free()).toBe(100_000_000);
  });

  it.each([true, false])(
    'ends when the whole file is sent to the other URL, be it accepted (%s) or not',
    async (isFit) => {
      const upload = await openUpload();
      upload.send(1, 2);
      upload.upload(upload.media, 9, isFit);
      await upload.arrived(upload.media);
      // Parts beside a file of nine bytes would not count towards the quota.
      expect(upload.bucket.inParts.size).toBe(0);
      expect(await upload.current()).toBe(isFit ? 'ready' : 'invalid');
    },
  );

  it('ends with a file that could not be inspected', async () => {
    const upload = await openUpload();
    upload.send(1);
    await upload.giveUp(upload.media);
    expect(upload.bucket.inParts.size).toBe(0);
  });

  it('begins again where the sweep was interrupted', async () => {
    const upload = await openUpload();
    upload.pass(dayMs);
    upload.bucket.before((call) => {
      if (call === 'abort') throw new Error('no answer');
    });
    await expect(upload.sweep()).rejects.toThrow();
    expect(await upload.free()).toBe(100_000_000 - sizeBytes);
    upload.bucket.before(() => undefined);
    await upload.sweep();
    expect(await upload.free()).toBe(100_000_000);
  });
});

describe('the parts of another upload', () => {
  it.each(['list', 'complete'] as const)('are unknown to another workspace: %s', async (verb) => {
    const [upload, other] = [await openUpload(), await openUpload()];
    const asked = { list: listParts, complete: completeParts }[verb];
    await expect(asked(other.context(), upload.media.id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(asked(other.context(), 'no id')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('do not exist for a grant that did not ask for parts', async () => {
    const upload = await openUpload();
    const { mediaId } = await presignMedia(upload.context(), { filename: 'a.jpg', size: 9 });
    await expect(listParts(upload.context(), mediaId)).rejects.toMatchObject({ code: 'conflict' });
    await expect(completeParts(upload.context(), mediaId)).rejects.toMatchObject({ code: 'conflict' });
    expect(upload.bucket.objects.has(incomingKeyOf(upload.media.objectKey))).toBe(false);
  });
});
