import type { S3Event } from 'aws-lambda';
import { openBucket } from '../../lib/aws/bucket.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { inspectObject } from '../../lib/media/probe/inspect.ts';
import { completeUpload, type MediaBucket } from '../../lib/media/uploads/complete-upload.ts';
import { openTable } from '../../lib/table/table.ts';
import { environment } from '../environment.ts';
import { logger } from '../logger.ts';
import { queueHandler } from '../middleware/queue.ts';

const { TABLE_NAME, MEDIA_BUCKET } = environment('TABLE_NAME', 'MEDIA_BUCKET');
const table = openTable(TABLE_NAME);
const { describe, readRange, remove } = openBucket(MEDIA_BUCKET);
const bucket: MediaBucket = { describe, remove, inspect: inspectObject(readRange) };

/** Takes note of files that arrived in the bucket. S3's first message after set-up is a test without records. */
export const handler = queueHandler(async ({ body }) => {
  const { Records = [] } = JSON.parse(body) as Partial<S3Event>;
  for (const { s3 } of Records) {
    // S3 writes keys as a form does: percent-encoded, with + for a space.
    const objectKey = decodeURIComponent(s3.object.key.replaceAll('+', ' '));
    const outcome = await completeUpload(table, bucket, objectKey, systemClock());
    logger.info('a file arrived', { objectKey, outcome });
  }
});
