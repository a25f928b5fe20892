import { systemClock } from '../../lib/kernel/clock.ts';
import { sweepMedia } from '../../lib/media/retention/sweep.ts';
import { findMediaUsage as findUsage } from '../../lib/posts/media-usage.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { bucket } from '../wire/bucket.ts';
import { logger } from '../wire/logger.ts';
import { table } from '../wire/table.ts';

/** Every minute: ends grants, removes deleted files, cleans up published ones. */
export const createHandler = scheduleHandler(
  { table, bucket },
  { message: 'files were due' },
  ({ table, bucket: { remove: removeObject } }, deadlineMs) => {
    const report = (key: object, error: unknown) =>
      logger.error('a file was not seen to', { ...key, error: error as Error });
    return sweepMedia({ table, now: systemClock, findUsage, removeObject, report }, deadlineMs);
  },
);
