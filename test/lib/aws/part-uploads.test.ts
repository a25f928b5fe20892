import { createHash } from 'node:crypto';
import { GetObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import type { ObjectEvent } from '@herald/local-cloud/engines/types.ts';
import { startTestCloud, type TestCloud } from '@herald/local-cloud/testing/cloud.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBucket } from '../../../lib/aws/bucket.ts';
import { openClientUploads, openPartUploads } from '../../../lib/aws/part-uploads.ts';

let cloud: TestCloud;
let uploads: ReturnType<typeof openPartUploads>;
const events: ObjectEvent[] = [];

beforeAll(async () => {
  cloud = await startTestCloud({ onObjectEvent: (event) => void events.push(event) });
  uploads = openPartUploads('media', cloud.client());
});
afterAll(() => cloud.stop());

const partBytes = 5 * 1024 ** 2;

async function read(Key: string): Promise<Buffer | undefined> {
  const s3 = new S3Client(cloud.client());
  const answer = await s3.send(new GetObjectCommand({ Bucket: 'media', Key })).catch(() => undefined);
  return answer && Buffer.from((await answer.Body?.transformToByteArray()) ?? []);
}

describe('an upload in parts', () => {
  it('appears as a whole when it is completed', async () => {
    const upload = await uploads.begin('incoming/a');
    await upload.send(Buffer.alloc(partBytes, 'a'));
    await upload.send(Buffer.from('the end'));
    expect(await read('incoming/a')).toBeUndefined();
    await upload.complete();
    const stored = await read('incoming/a');
    expect(stored?.length).toBe(partBytes + 7);
    expect(stored?.subarray(-8).toString()).toBe('athe end');
  });

  it('replaces an earlier object of the same key', async () => {
    await uploads.put('incoming/b', Buffer.from('earlier'));
    const upload = await uploads.begin('incoming/b');
    await upload.send(Buffer.from('later'));
    await upload.complete();
    expect(String(await read('incoming/b'))).toBe('later');
  });

  it('leaves nothing when it is aborted, and may be aborted twice', async () => {
    const upload = await uploads.begin('incoming/c');
    await upload.send(Buffer.alloc(partBytes));
    await upload.abort();
    await upload.abort();
    await expect(upload.complete()).rejects.toMatchObject({ name: 'NoSuchUpload' });
    expect(await read('incoming/c')).toBeUndefined();
  });

  it('needs 5 MiB in every part but the last', async () => {
    const upload = await uploads.begin('incoming/d');
    await upload.send(Buffer.from('small'));
    await upload.send(Buffer.from('last'));
    await expect(upload.complete()).rejects.toMatchObject({ name: 'EntityTooSmall' });
  });

  it('refuses parts of an upload that was never begun', async () => {
    const s3 = new S3Client(cloud.client());
    const part = { Bucket: 'media', Key: 'incoming/e', UploadId: 'none', PartNumber: 1, Body: 'x' };
    await expect(s3.send(new UploadPartCommand(part))).rejects.toMatchObject({ name: 'NoSuchUpload' });
  });
});

describe('an upload whose parts a client sends', () => {
  let client: ReturnType<typeof openClientUploads>;
  beforeAll(() => {
    client = openClientUploads('media', cloud.client());
  });

  const signPart = (objectKey: string, uploadId: string, number: number, sizeBytes: number) =>
    client.sign({ objectKey, uploadId, number, sizeBytes, expiresInSeconds: 60 });
  const put = (url: string, body: Buffer) => fetch(url, { method: 'PUT', body: new Uint8Array(body) });

  it('appears once it is completed with the parts that have arrived, in any order', async () => {
    const id = await client.begin('incoming/f', 'video/mp4');
    const sent = await put(await signPart('incoming/f', id, 2, 7), Buffer.from('the end'));
    expect(sent.status).toBe(200);
    await put(await signPart('incoming/f', id, 1, partBytes), Buffer.alloc(partBytes, 'a'));
    const listed = (await client.list('incoming/f', id)) ?? [];
    expect(listed.map(({ number, sizeBytes }) => [number, sizeBytes])).toEqual([
      [1, partBytes],
      [2, 7],
    ]);
    expect(sent.headers.get('etag')).toBe(listed[1]?.etag);
    expect(await read('incoming/f')).toBeUndefined();
    expect(await client.complete('incoming/f', id, listed)).toBe('completed');
    expect((await read('incoming/f'))?.length).toBe(partBytes + 7);
    expect(await client.list('incoming/f', id)).toBeUndefined();
    expect(await client.complete('incoming/f', id, listed)).toBe('gone');
  });

  it('takes no part of another size, number or upload than the signed one', async () => {
    const id = await client.begin('incoming/g', 'video/mp4');
    const url = await signPart('incoming/g', id, 1, 7);
    expect((await put(url, Buffer.from('longer than it'))).status).toBe(403);
    expect((await put(url, Buffer.from('short'))).status).toBe(403);
    const other = url.replace('partNumber=1', 'partNumber=2');
    expect((await put(other, Buffer.from('the end'))).status).toBe(403);
    expect(await client.list('incoming/g', id)).toEqual([]);
  });

  it('is not completed with a part that was sent again since', async () => {
    const id = await client.begin('incoming/h', 'video/mp4');
    const url = await signPart('incoming/h', id, 1, 5);
    await put(url, Buffer.from('first'));
    const listed = (await client.list('incoming/h', id)) ?? [];
    await put(url, Buffer.from('later'));
    expect(await client.complete('incoming/h', id, listed)).toBe('changed');
  });

  it('takes no part after it was aborted', async () => {
    const id = await client.begin('incoming/i', 'video/mp4');
    const url = await signPart('incoming/i', id, 1, 5);
    await put(url, Buffer.from('first'));
    const bucket = openBucket('media', cloud.client());
    await bucket.abortUpload('incoming/i', id);
    await bucket.abortUpload('incoming/i', id);
    expect((await put(url, Buffer.from('later'))).status).toBe(404);
    expect(await client.list('incoming/i', id)).toBeUndefined();
  });

  it('is completed or aborted once, whatever is asked at the same time', async () => {
    const bucket = openBucket('media', cloud.client());
    for (const isAborted of [false, true]) {
      const key = `incoming/both ${isAborted}`;
      const id = await client.begin(key, 'video/mp4');
      await put(await signPart(key, id, 1, partBytes), Buffer.alloc(partBytes, 'a'));
      await put(await signPart(key, id, 2, 7), Buffer.from('the end'));
      const listed = (await client.list(key, id)) ?? [];
      const complete = () => client.complete(key, id, listed);
      const [first, second] = await Promise.all([
        complete(),
        isAborted ? bucket.abortUpload(key, id) : complete(),
      ]);
      if (!isAborted) expect([first, second].toSorted()).toEqual(['completed', 'gone']);
      const stored = await read(key);
      expect(stored?.length).toBe(
        first === 'completed' || second === 'completed' ? partBytes + 7 : undefined,
      );
      expect(await client.list(key, id)).toBeUndefined();
    }
  });

  it('has another entity tag than its copy, which was not sent in parts', async () => {
    const id = await client.begin('incoming/ws/id/j.mp4', 'video/mp4');
    await put(await signPart('incoming/ws/id/j.mp4', id, 1, 5), Buffer.from('first'));
    await client.complete('incoming/ws/id/j.mp4', id, (await client.list('incoming/ws/id/j.mp4', id)) ?? []);
    const bucket = openBucket('media', cloud.client());
    const { etag = '' } = (await bucket.describe('incoming/ws/id/j.mp4')) ?? {};
    expect(etag).toMatch(/-1"$/);
    const copy = {
      incomingKey: 'incoming/ws/id/j.mp4',
      objectKey: 'media/ws/id/j.mp4',
      etag,
      contentType: 'video/mp4',
    };
    expect(await bucket.publish(copy)).toBeDefined();
    const md5 = createHash('md5').update('first').digest('hex');
    expect((await bucket.describe('media/ws/id/j.mp4'))?.etag).toBe(`"${md5}"`);
  });
});
