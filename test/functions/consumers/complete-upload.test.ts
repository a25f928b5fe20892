import type { Context, SQSEvent } from 'aws-lambda';
import { beforeAll, describe, expect, it } from 'vitest';
import { build } from '../../../functions/consumers/complete-upload.ts';
import type { Bucket } from '../../../lib/aws/bucket.ts';
import { maximumReceives } from '../../../lib/kernel/receives.ts';
import { incomingKeyOf } from '../../../lib/media/urls.ts';
import type { Table } from '../../../lib/table/table.ts';
import { granted, openStorage } from '../../lib/media/fixture.ts';
import { readFixture } from '../../support/read-fixture.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** An upload whose bytes are read by `readRange`, and the handler that completes it. */
async function openUpload(readRange: Bucket['readRange'], sizeBytes = 300) {
  const storage = await openStorage(table, 10_000_000);
  const media = granted(await storage.grant(sizeBytes));
  storage.upload(media, sizeBytes);
  const { describe: describeObject, publish, remove } = storage.bucket;
  const bucket = { describe: describeObject, publish, remove, readRange } as unknown as Bucket;
  const handler = build({ table, bucket, receiveAgain: async () => {} });
  const body = JSON.stringify({
    Records: [{ s3: { object: { key: encodeURIComponent(incomingKeyOf(media.objectKey)) } } }],
  });
  const receive = (receives: number, leftMs = 40_000) =>
    handler(
      {
        Records: [{ messageId: 'm', body, attributes: { ApproximateReceiveCount: String(receives) } }],
      } as SQSEvent,
      { getRemainingTimeInMillis: () => leftMs } as Context,
    );
  return { storage, media, receive };
}

const failing = async () => {
  throw new Error('the probe failed');
};

describe('a file that cannot be inspected', () => {
  it.each(Array.from({ length: maximumReceives - 1 }, (_, index) => index + 1))(
    'is tried again after receive %i',
    async (receives) => {
      const { storage, media, receive } = await openUpload(failing);
      expect(await receive(receives)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm' }] });
      expect(await storage.find(media)).toMatchObject({ status: 'pending' });
      expect(storage.bucket.objects.size).toBe(1);
    },
  );

  it('is invalid after the last receive, and its bytes are deleted', async () => {
    const { storage, media, receive } = await openUpload(failing);
    expect(await receive(maximumReceives)).toEqual({ batchItemFailures: [] });
    expect(await storage.find(media)).toMatchObject({ status: 'invalid', reservedBytes: 0 });
    expect(storage.bucket.objects.size).toBe(0);
  });

  it.each([
    ['returns an error', 500],
    ['does not respond', undefined],
  ])('is kept for operators to try again if S3 %s', async (_how, httpStatusCode) => {
    const { storage, media, receive } = await openUpload(async () => {
      const $metadata = { attempts: 3, ...(httpStatusCode !== undefined && { httpStatusCode }) };
      throw Object.assign(new Error('S3 is not available'), { $metadata });
    });
    expect(await receive(maximumReceives)).toEqual({ batchItemFailures: [{ itemIdentifier: 'm' }] });
    expect(await storage.find(media)).toMatchObject({ status: 'pending' });
    expect(storage.bucket.objects.size).toBe(1);
  });

  it('is invalid if the last inspection does not end in time', async () => {
    const { storage, media, receive } = await openUpload(() => new Promise(() => {}));
    // No time is left but the reserve for giving up.
    expect(await receive(maximumReceives, 8_000)).toEqual({ batchItemFailures: [] });
    expect(await storage.find(media)).toMatchObject({ status: 'invalid' });
  });
});

it('is accepted at the last receive if nothing is wrong with it, because earlier ones may have been throttled', async () => {
  const bytes = await readFixture('image.jpg');
  const { storage, media, receive } = await openUpload(
    async (_key, first, last) => new Uint8Array(bytes.subarray(first, last + 1)),
    bytes.length,
  );
  expect(await receive(maximumReceives)).toEqual({ batchItemFailures: [] });
  expect(await storage.find(media)).toMatchObject({ status: 'ready' });
});
