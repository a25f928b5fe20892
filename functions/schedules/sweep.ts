import { systemClock } from '../../lib/kernel/clock.ts';
import { sweepOverdue } from '../../lib/recovery/sweep.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { chainQueue, publishQueue, table } from '../wire/aws.ts';
import { reportError as report } from '../wire/logger.ts';

/** Every minute: finds overdue work and starts it again. */
export const build = scheduleHandler(
  { table, publishQueue, chainQueue },
  { message: 'overdue work was found', level: 'warn' },
  ({ table, publishQueue: { send: enqueue }, chainQueue: { send: enqueueChain } }) =>
    sweepOverdue({ table, now: systemClock(), enqueue, enqueueChain, report }),
);
