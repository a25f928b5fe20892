import { GetObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import type { ObjectEvent } from '@herald/local-cloud/engines/types.ts';
import { startTestCloud, type TestCloud } from '@herald/local-cloud/testing/cloud.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPartUploads } from '../../../lib/aws/part-uploads.ts';

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
