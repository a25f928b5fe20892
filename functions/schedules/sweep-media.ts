import { systemClock } from '../../lib/kernel/clock.ts';
import { sweepMedia } from '../../lib/media/retention/sweep.ts';
import { findMediaUsage as findUsage } from '../../lib/posts/stored/media-usage.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { bucket, importQueue, table } from '../wire/aws.ts';
import { invalidate } from '../wire/invalidate.ts';
import { reportItem } from '../wire/logger.ts';

/** Every minute: ends upload grants, continues imports, removes deleted files, cleans up files of published posts. */
export const build = scheduleHandler(
  { table, bucket, invalidate, importQueue },
  { message: 'files were due' },
  ({ table, bucket: { remove: removeObject, abortUpload }, invalidate, importQueue }, deadlineMs) => {
    const report = reportItem('a file could not be processed');
    const removers = { removeObject, abortUpload, invalidate };
    const ports = { table, findUsage, ...removers, enqueueImport: importQueue.send, report };
    return sweepMedia({ ...ports, now: systemClock }, deadlineMs);
  },
);
