import { resendDueActions } from '../../lib/automations/actions/resend-due.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { automationQueue, table } from '../wire/aws.ts';
import { reportItem } from '../wire/logger.ts';

/** Every minute: sends messages for actions that are due and whose message is missing or lost. */
export const build = scheduleHandler(
  { table, automationQueue },
  { message: 'sent actions that were due' },
  async ({ table, automationQueue: { sendAll } }, deadlineMs) => {
    const report = reportItem('an action cannot be read');
    return { sent: await resendDueActions({ table, now: systemClock, sendAll, report }, deadlineMs) };
  },
);
