import { systemClock } from '../../lib/kernel/clock.ts';
import { DistantWake, keepSchedule } from '../../lib/publishing/relay/keep-schedule.ts';
import { scheduleName } from '../../lib/publishing/wake.ts';
import { queueHandler } from '../middleware/queue.ts';
import { scheduledQueues, schedules, table, wakeQueues } from '../wire/aws.ts';
import { addLogKeys, logger } from '../wire/logger.ts';

const wires = { table, wakeQueues, schedules, scheduledQueues };

/** Creates and deletes the schedules of distant wakes. */
export const build = queueHandler(
  wires,
  DistantWake,
  async ({ table, wakeQueues, schedules, scheduledQueues }, wake) => {
    const { workspaceId, postId, accountId } = wake.message;
    addLogKeys({ workspaceId, postId, accountId });
    await keepSchedule(
      {
        table,
        now: systemClock,
        enqueue: wakeQueues.send,
        schedule: (message, atMs, queue) =>
          schedules.create(scheduleName(message), message, atMs, scheduledQueues[queue]),
        unschedule: (message) => schedules.remove(scheduleName(message)),
        report: ({ kind }, error) =>
          logger.error('an effect failed and is left to the sweep', { effect: kind, error: error as Error }),
      },
      wake,
    );
  },
);
