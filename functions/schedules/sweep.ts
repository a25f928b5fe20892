import { systemClock } from '../../lib/kernel/clock.ts';
import { sweepOverdue } from '../../lib/recovery/sweep.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { reportError as report } from '../wire/logger.ts';
import { chainQueue, publishQueue } from '../wire/queues.ts';
import { table } from '../wire/table.ts';

/** Every minute: sets off again what is overdue. */
export const createHandler = scheduleHandler(
  { table, publishQueue, chainQueue },
  { message: 'found overdue', level: 'warn' },
  ({ table, publishQueue: { send: enqueue }, chainQueue: { send: enqueueChain } }) =>
    sweepOverdue({ table, now: systemClock(), enqueue, enqueueChain, report }),
);
