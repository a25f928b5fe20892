import { systemClock } from '../../lib/kernel/clock.ts';
import { replayedShard } from '../../lib/table/keys.ts';
import { resendDueDeliveries } from '../../lib/webhooks/deliveries/resend-due.ts';
import { runReplays } from '../../lib/webhooks/replays/run.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { slowWebhookQueue, table, webhookQueue } from '../wire/aws.ts';
import { reportItem } from '../wire/logger.ts';

/**
 * Every minute: sends messages for deliveries that are due and whose message is missing or lost. In the time that is left, it makes the
 * deliveries of replays.
 */
export const build = scheduleHandler(
  { table, webhookQueue, slowWebhookQueue },
  { message: 'sent deliveries that were due' },
  async ({ table, webhookQueue, slowWebhookQueue }, deadlineMs) => {
    const ports = { table, now: systemClock, report: reportItem('a delivery cannot be read') };
    const sent = await resendDueDeliveries({ ...ports, sendAll: webhookQueue.sendAll }, deadlineMs);
    const slow = { ...ports, sendAll: slowWebhookQueue.sendAll };
    const resent = await resendDueDeliveries(slow, deadlineMs, [replayedShard]);
    return { sent, resent, ...(await runReplays(slow, deadlineMs)) };
  },
);
