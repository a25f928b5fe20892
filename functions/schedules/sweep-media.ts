import { systemClock } from '../../lib/kernel/clock.ts';
import { sweepMedia } from '../../lib/media/retention/sweep.ts';
import { findMediaUsage as findUsage } from '../../lib/posts/media-usage.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { bucket, table } from '../wire/aws.ts';
import { invalidate } from '../wire/invalidate.ts';
import { reportItem } from '../wire/logger.ts';

/** Every minute: ends upload grants, removes deleted files, cleans up files of published posts. */
export const build = scheduleHandler(
  { table, bucket, invalidate },
  { message: 'files were due' },
  ({ table, bucket: { remove: removeObject }, invalidate }, deadlineMs) => {
    const report = reportItem('a file could not be processed');
    return sweepMedia({ table, now: systemClock, findUsage, removeObject, invalidate, report }, deadlineMs);
  },
);
