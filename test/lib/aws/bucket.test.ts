import { createHash } from 'node:crypto';
import {
  CopyObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { startTestCloud, type TestCloud } from '@herald/local-cloud/testing/cloud.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bucket, openBucket } from '../../../lib/aws/bucket.ts';

let cloud: TestCloud;
let s3: S3Client;
let bucket: Bucket;
beforeAll(async () => {
  cloud = await startTestCloud();
  s3 = new S3Client(cloud.client());
  bucket = openBucket('media', cloud.client());
});
afterAll(() => cloud.stop());

let files = 0;
/** Uploads a file with headers of the uploader's choice, and returns what `publish` needs. */
async function upload(body: string, extra: object = {}) {
  files += 1;
  const [incomingKey, objectKey] = [`incoming/${files}/a.jpg`, `media/${files}/a.jpg`];
  const { ETag = '' } = await s3.send(
    new PutObjectCommand({ Bucket: 'media', Key: incomingKey, Body: body, ...extra }),
  );
  return { incomingKey, objectKey, etag: ETag, contentType: 'image/jpeg' };
}

const text = async (Key: string) =>
  (await s3.send(new GetObjectCommand({ Bucket: 'media', Key }))).Body?.transformToString();

const sha256 = (body: string) => createHash('sha256').update(body).digest('hex');

describe('publishing an upload', () => {
  it('copies it with headers of our own and returns the SHA-256 of its bytes', async () => {
    const given = await upload('bytes', {
      ContentType: 'image/png',
      CacheControl: 'max-age=31536000',
      ContentDisposition: 'attachment; filename="invoice.exe"',
      ContentEncoding: 'gzip',
      Metadata: { by: 'the uploader' },
    });
    expect(await bucket.publish(given)).toEqual({ sha256: sha256('bytes') });
    const head = await s3.send(new HeadObjectCommand({ Bucket: 'media', Key: given.objectKey }));
    expect(head).toMatchObject({
      ContentType: 'image/jpeg',
      CacheControl: 'public, max-age=3600',
      ContentDisposition: 'inline',
      Metadata: {},
    });
    expect(head.ContentEncoding).toBeUndefined();
    expect(await bucket.describe(given.objectKey)).toEqual({
      sizeBytes: 5,
      etag: given.etag,
      sha256: sha256('bytes'),
    });
    expect(await bucket.describe(given.incomingKey)).toEqual({ sizeBytes: 5, etag: given.etag });
  });

  it('copies nothing if the upload was replaced', async () => {
    const given = await upload('inspected');
    await s3.send(new PutObjectCommand({ Bucket: 'media', Key: given.incomingKey, Body: 'other' }));
    expect(await bucket.publish(given)).toBeUndefined();
    expect(await bucket.describe(given.objectKey)).toBeUndefined();
  });

  it('copies nothing if the upload is gone', async () => {
    const given = await upload('inspected');
    await bucket.remove(given.incomingKey);
    expect(await bucket.publish(given)).toBeUndefined();
  });

  it('overwrites nothing, however many workers try', async () => {
    const given = await upload('first');
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => bucket.publish(given)));
    expect(outcomes.filter((outcome) => outcome !== undefined)).toHaveLength(1);
    await s3.send(new PutObjectCommand({ Bucket: 'media', Key: given.incomingKey, Body: 'second' }));
    const { etag = '' } = (await bucket.describe(given.incomingKey)) ?? {};
    expect(await bucket.publish({ ...given, etag })).toBeUndefined();
    expect(await text(given.objectKey)).toBe('first');
  });
});

describe('the local S3', () => {
  it('refuses conditions and checksums of copies that it does not implement', async () => {
    const { incomingKey, objectKey } = await upload('x');
    const copy = { Bucket: 'media', Key: objectKey, CopySource: `media/${incomingKey}` };
    for (const extra of [{ CopySourceIfNoneMatch: '"a"' }, { ChecksumAlgorithm: 'CRC32C' }] as const) {
      await expect(s3.send(new CopyObjectCommand({ ...copy, ...extra }))).rejects.toMatchObject({
        name: 'NotImplemented',
      });
    }
    expect(await bucket.describe(objectKey)).toBeUndefined();
  });

  it('tells a policy whether a write may overwrite', async () => {
    const { incomingKey, objectKey, etag } = await upload('x');
    const objects = 'arn:aws:s3:::media/*';
    cloud.grant(
      'writer',
      { Effect: 'Allow', Action: ['s3:GetObject', 's3:PutObject'], Resource: objects },
      {
        Effect: 'Deny',
        Action: 's3:PutObject',
        Resource: objects,
        Condition: { Null: { 's3:if-none-match': 'true' } },
      },
    );
    const writer = new S3Client(cloud.client('writer'));
    const copy = { Bucket: 'media', Key: objectKey, CopySource: `media/${incomingKey}` };
    await expect(writer.send(new CopyObjectCommand(copy))).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(
      writer.send(new PutObjectCommand({ Bucket: 'media', Key: objectKey, Body: 'x' })),
    ).rejects.toMatchObject({ name: 'AccessDenied' });
    await writer.send(new CopyObjectCommand({ ...copy, IfNoneMatch: '*', CopySourceIfMatch: etag }));
  });
});

describe('removing an upload', () => {
  const exists = async (key: string) => (await bucket.describe(key)) !== undefined;

  it('with its entity tag leaves an upload that has replaced it', async () => {
    const { incomingKey, etag } = await upload('first');
    const put = { Bucket: 'media', Key: incomingKey, Body: 'second' };
    const { ETag } = await s3.send(new PutObjectCommand(put));
    await bucket.remove(incomingKey, etag);
    expect(await exists(incomingKey)).toBe(true);
    await bucket.remove(incomingKey, ETag);
    expect(await exists(incomingKey)).toBe(false);
  });

  it('succeeds if it is gone, with and without an entity tag', async () => {
    const { incomingKey, etag } = await upload('x');
    await bucket.remove(incomingKey);
    await bucket.remove(incomingKey);
    await bucket.remove(incomingKey, etag);
    expect(await exists(incomingKey)).toBe(false);
  });

  it('with its entity tag needs the right to read it', async () => {
    const { incomingKey, etag } = await upload('x');
    cloud.grant('remover', { Effect: 'Allow', Action: 's3:DeleteObject', Resource: 'arn:aws:s3:::media/*' });
    await expect(
      openBucket('media', cloud.client('remover')).remove(incomingKey, etag),
    ).rejects.toMatchObject({
      name: 'AccessDenied',
    });
  });
});
