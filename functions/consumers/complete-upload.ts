import * as z from 'zod';
import type { Bucket } from '../../lib/aws/bucket.ts';
import { isAwsFailure } from '../../lib/kernel/aws-failure.ts';
import { secondMs, systemClock } from '../../lib/kernel/clock.ts';
import { maximumReceives } from '../../lib/kernel/receives.ts';
import { sleep } from '../../lib/kernel/retry.ts';
import { inspectObject } from '../../lib/media/probe/inspect.ts';
import { giveUpUpload } from '../../lib/media/uploads/close-upload.ts';
import { completeUpload, type UploadOutcome } from '../../lib/media/uploads/complete-upload.ts';
import type { Table } from '../../lib/table/table.ts';
import { queueHandler } from '../middleware/queue.ts';
import { bucket, table } from '../wire/aws.ts';
import { addLogKeys, logger } from '../wire/logger.ts';

/** Time reserved at the end of an invocation for giving a file up. */
const giveUpReserveMs = 8 * secondMs;

/** A key in an event of S3, which encodes it like a form field: percent-encoded, with + for a space. */
const EncodedKey = z.string().transform((key) => decodeURIComponent(key.replaceAll('+', ' ')));

/** An event of S3. Its first message after setup is a test without records. */
const Arrival = z.object({
  Records: z.array(z.object({ s3: z.object({ object: z.object({ key: EncodedKey }) }) })).default([]),
});

/** Completes the uploads whose files have arrived in the bucket. */
export const build = queueHandler(
  { table, bucket },
  Arrival,
  async ({ table, bucket }, { Records }, { attributes }, context) => {
    const isLast = Number(attributes.ApproximateReceiveCount) >= maximumReceives;
    for (const { s3 } of Records) {
      const objectKey = s3.object.key;
      addLogKeys({ objectKey });
      const limitMs = context.getRemainingTimeInMillis() - giveUpReserveMs;
      const outcome = isLast
        ? await completeOrGiveUp(table, bucket, objectKey, limitMs)
        : await complete(table, bucket, objectKey);
      logger.info('a file arrived', { outcome });
    }
  },
);

function complete(table: Table, bucket: Bucket, objectKey: string): Promise<UploadOutcome> {
  const files = { ...bucket, inspect: inspectObject(bucket.readRange) };
  return completeUpload(table, files, objectKey, systemClock());
}

/**
 * Works a message that SQS delivers for the last time. It tries once more, because earlier deliveries may have been throttled
 * before they reached a function. A file that still fails, or takes too long, is given up. If AWS fails, the file is not given
 * up: the message becomes a dead letter, which operators redrive.
 */
async function completeOrGiveUp(
  table: Table,
  bucket: Bucket,
  objectKey: string,
  limitMs: number,
): Promise<UploadOutcome | 'given up'> {
  try {
    const tooLong = sleep(limitMs).then(() =>
      Promise.reject(new Error('completing the upload took too long')),
    );
    return await Promise.race([complete(table, bucket, objectKey), tooLong]);
  } catch (error) {
    if (isAwsFailure(error)) throw error;
    logger.error('a file could not be inspected', error as Error);
    await giveUpUpload(table, bucket, objectKey, systemClock());
    return 'given up';
  }
}
