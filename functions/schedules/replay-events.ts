import { systemClock } from '../../lib/kernel/clock.ts';
import { replayedShard } from '../../lib/table/keys.ts';
import { resendDueDeliveries } from '../../lib/webhooks/deliveries/resend-due.ts';
import { runReplays } from '../../lib/webhooks/replays/run.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { slowWebhookQueue, table } from '../wire/aws.ts';
import { reportItem } from '../wire/logger.ts';

/** Every minute: makes the deliveries of replays, and sends messages for those whose message is missing or lost. */
export const build = scheduleHandler(
  { table, slowWebhookQueue },
  { message: 'made deliveries of replays' },
  async ({ table, slowWebhookQueue: { sendAll } }, deadlineMs) => {
    const ports = { table, now: systemClock, sendAll, report: reportItem('a replay cannot be worked on') };
    const sent = await resendDueDeliveries(ports, deadlineMs, [replayedShard]);
    return { sent, ...(await runReplays(ports, deadlineMs)) };
  },
);
