import type { Context, SQSEvent } from 'aws-lambda';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { build } from '../../../functions/consumers/complete-upload.ts';
import type { Bucket } from '../../../lib/aws/bucket.ts';
import { maximumReceives } from '../../../lib/kernel/receives.ts';
import { incomingKeyOf } from '../../../lib/media/urls.ts';
import type { Table } from '../../../lib/table/table.ts';
import { granted, openStorage } from '../../lib/media/fixture.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** An upload whose bytes are read by `readRange`, and the handler that completes it. */
async function openUpload(readRange: Bucket['readRange']) {
  const storage = await openStorage(table);
  const media = granted(await storage.grant(300));
  storage.upload(media, 300);
  const { describe: describeObject, publish, remove } = storage.bucket;
  const bucket = { describe: describeObject, publish, remove, readRange } as unknown as Bucket;
  const handler = build({ table, bucket });
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

  it('is invalid if the last inspection does not end in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const { storage, media, receive } = await openUpload(() => new Promise(() => {}));
      const received = receive(maximumReceives, 20_000);
      await vi.advanceTimersByTimeAsync(20_000);
      expect(await received).toEqual({ batchItemFailures: [] });
      expect(await storage.find(media)).toMatchObject({ status: 'invalid' });
    } finally {
      vi.useRealTimers();
    }
  });
});

it('is accepted at the last receive if nothing is wrong with it, because earlier ones may have been throttled', async () => {
  const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
  const { storage, media, receive } = await openUpload(async () => new Uint8Array(jpeg));
  expect(await receive(maximumReceives)).toEqual({ batchItemFailures: [] });
  expect(await storage.find(media)).toMatchObject({ status: 'ready' });
});
