import type { S3Event } from 'aws-lambda';
import { systemClock } from '../../lib/kernel/clock.ts';
import { inspectObject } from '../../lib/media/probe/inspect.ts';
import { completeUpload } from '../../lib/media/uploads/complete-upload.ts';
import { queueHandler } from '../middleware/queue.ts';
import { bucket, table } from '../wire/aws.ts';
import { logger } from '../wire/logger.ts';

/** Completes the uploads whose files have arrived in the bucket. S3's first message after setup is a test without records. */
export const build = queueHandler({ table, bucket }, async ({ table, bucket }, { body }) => {
  const { Records = [] } = JSON.parse(body) as Partial<S3Event>;
  const { describe, readRange, remove } = bucket;
  for (const { s3 } of Records) {
    // S3 encodes keys like form fields: percent-encoded, with + for a space.
    const objectKey = decodeURIComponent(s3.object.key.replaceAll('+', ' '));
    const files = { describe, remove, inspect: inspectObject(readRange) };
    const outcome = await completeUpload(table, files, objectKey, systemClock());
    logger.info('a file arrived', { objectKey, outcome });
  }
});
