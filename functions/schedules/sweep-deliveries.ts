import { systemClock } from '../../lib/kernel/clock.ts';
import { resendDueDeliveries } from '../../lib/webhooks/deliveries/resend-due.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { table, webhookQueue } from '../wire/aws.ts';
import { reportItem } from '../wire/logger.ts';

/** Every minute: sends messages for deliveries that are due and whose message is missing or lost. */
export const build = scheduleHandler(
  { table, webhookQueue },
  { message: 'sent deliveries that were due' },
  async ({ table, webhookQueue: { sendAll } }, deadlineMs) => {
    const report = reportItem('a delivery cannot be read');
    return { sent: await resendDueDeliveries({ table, now: systemClock, sendAll, report }, deadlineMs) };
  },
);
