import { systemClock } from '../../lib/kernel/clock.ts';
import { sweepDeliveries } from '../../lib/webhooks/deliveries/resend-due.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { logger } from '../wire/logger.ts';
import { webhookQueue } from '../wire/queues.ts';
import { table } from '../wire/table.ts';

/** Every minute: sends what is due and has no message, or whose message is lost. */
export const createHandler = scheduleHandler(
  { table, webhookQueue },
  { message: 'sent deliveries that were due' },
  async ({ table, webhookQueue: { sendAll } }, deadlineMs) => {
    const report = (key: object, error: unknown) =>
      logger.error('a delivery cannot be read', { ...key, error: error as Error });
    return { sent: await sweepDeliveries({ table, now: systemClock, sendAll, report }, deadlineMs) };
  },
);
