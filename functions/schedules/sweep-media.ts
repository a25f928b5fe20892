import middy from '@middy/core';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { openBucket } from '../../lib/aws/bucket.ts';
import { secondMs, systemClock } from '../../lib/kernel/clock.ts';
import { type SweepMediaPorts, sweepMedia } from '../../lib/media/retention/sweep.ts';
import { findMediaUsage } from '../../lib/posts/media-usage.ts';
import { openTable } from '../../lib/table/table.ts';
import { environment } from '../environment.ts';
import { logger } from '../logger.ts';

const env = environment('TABLE_NAME', 'MEDIA_BUCKET');
const ports: SweepMediaPorts = {
  table: openTable(env.TABLE_NAME),
  now: systemClock,
  findUsage: findMediaUsage,
  removeObject: openBucket(env.MEDIA_BUCKET).remove,
  report: (key, error) => logger.error('a file was not seen to', { ...key, error: error as Error }),
};

/** For the last page to be worked to its end. */
const reserveMs = 15 * secondMs;

/**
 * Every minute: ends grants, removes deleted files, cleans up published ones. It fails once all is done that can be, so
 * that operators hear of the rest.
 */
export const handler = middy<ScheduledEvent, void, Error, Context>().handler(async (_event, context) => {
  const found = await sweepMedia(ports, systemClock() + context.getRemainingTimeInMillis() - reserveMs);
  if (Object.values(found).some((count) => count > 0)) logger.info('files were due', { ...found });
  if (found.failures > 0) throw new Error(`${found.failures} files were not seen to`);
});
