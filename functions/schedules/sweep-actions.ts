import { sweepActions } from '../../lib/automations/actions/resend-due.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { logger } from '../wire/logger.ts';
import { automationQueue } from '../wire/queues.ts';
import { table } from '../wire/table.ts';

/** Every minute: sends what is due and has no message, or whose message is lost. */
export const createHandler = scheduleHandler(
  { table, automationQueue },
  { message: 'sent actions that were due' },
  async ({ table, automationQueue: { sendAll } }, deadlineMs) => {
    const report = (key: object, error: unknown) =>
      logger.error('an action cannot be read', { ...key, error: error as Error });
    return { sent: await sweepActions({ table, now: systemClock, sendAll, report }, deadlineMs) };
  },
);
