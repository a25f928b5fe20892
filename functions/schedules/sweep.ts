import { secondMs, systemClock } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { scheduleName } from '../../lib/publishing/wake.ts';
import { routineCounts, type SweepPorts, sweepOverdue } from '../../lib/recovery/sweep.ts';
import { noteTargets, watchPlatforms } from '../../lib/recovery/watch-platforms.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { chainQueue, scheduledQueues, schedules, table, wakeQueues } from '../wire/aws.ts';
import { reportError as report } from '../wire/logger.ts';
import { record } from '../wire/metrics.ts';

/** Every minute: finds overdue work and starts it again, and notices that a platform is down. */
export const build = scheduleHandler(
  { table, wakeQueues, chainQueue, schedules, scheduledQueues, record },
  {
    message: 'overdue work was found',
    level: 'warn',
    routine: { message: 'routine work was done', counts: routineCounts },
    reserveMs: 10 * secondMs,
  },
  async ({ table, wakeQueues, chainQueue, schedules, scheduledQueues, record }, deadlineMs) => {
    const { note, seen } = noteTargets(systemClock);
    const ports: SweepPorts = {
      table,
      now: systemClock,
      uniqueId: () => newId(systemClock()),
      enqueue: wakeQueues.send,
      enqueueAll: wakeQueues.sendAll,
      enqueueAllChains: chainQueue.sendAll,
      schedule: (message, atMs, queue) =>
        schedules.create(scheduleName(message), message, atMs, scheduledQueues[queue]),
      noteTarget: note,
      report,
    };
    const count = await sweepOverdue(ports, deadlineMs);
    try {
      record(await watchPlatforms(ports, seen()));
    } catch (error) {
      count.failures += 1;
      report('the platforms were not watched', error);
    }
    return { ...count };
  },
);
