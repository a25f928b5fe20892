import { eraseDueWorkspaces } from '../../lib/erasure/run.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { sleep } from '../../lib/kernel/retry.ts';
import { authorizationFor } from '../../lib/platforms/registry/authorizations.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { bucket, table, vault } from '../wire/aws.ts';
import { invalidate } from '../wire/invalidate.ts';
import { reportError as report } from '../wire/logger.ts';
import { toolsFor } from '../wire/platform-tools.ts';

/** Every hour: erases the workspaces that were deleted 30 days ago. */
export const build = scheduleHandler(
  { table, vault, toolsFor, bucket, invalidate },
  { message: 'deleted workspaces were due' },
  async ({ bucket: { list, remove }, ...dependencies }, deadlineMs) => {
    const ports = {
      ...dependencies,
      now: systemClock,
      sleep,
      authorizationFor,
      listObjects: list,
      removeObject: (objectKey: string) => remove(objectKey),
      report,
    };
    return { ...(await eraseDueWorkspaces(ports, deadlineMs)) };
  },
);
