import { secondMs, systemClock } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { scheduleName } from '../../lib/publishing/wake.ts';
import { type SweepPorts, sweepOverdue } from '../../lib/recovery/sweep.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { chainQueue, scheduledQueues, schedules, table, wakeQueues } from '../wire/aws.ts';
import { reportError as report } from '../wire/logger.ts';

/** Every minute: finds overdue work and starts it again. */
export const build = scheduleHandler(
  { table, wakeQueues, chainQueue, schedules, scheduledQueues },
  { message: 'overdue work was found', level: 'warn', reserveMs: 10 * secondMs },
  async ({ table, wakeQueues, chainQueue, schedules, scheduledQueues }, deadlineMs) => {
    const ports: SweepPorts = {
      table,
      now: systemClock,
      uniqueId: () => newId(systemClock()),
      enqueue: wakeQueues.send,
      enqueueAll: wakeQueues.sendAll,
      enqueueAllChains: chainQueue.sendAll,
      schedule: (message, atMs, queue) =>
        schedules.create(scheduleName(message), message, atMs, scheduledQueues[queue]),
      report,
    };
    return { ...(await sweepOverdue(ports, deadlineMs)) };
  },
);
