import { resendDueActions } from '../../lib/automations/actions/resend-due.ts';
import { resendDueIntake } from '../../lib/automations/inbound/resend-intake.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { automationQueue, table } from '../wire/aws.ts';
import { reportItem } from '../wire/logger.ts';

/** Every minute: sends messages for actions, held comments and claims that are due and whose message is missing or lost. */
export const build = scheduleHandler(
  { table, automationQueue },
  { message: 'sent actions that were due' },
  async ({ table, automationQueue: { sendAll } }, deadlineMs) => {
    const report = reportItem('an action cannot be read');
    const ports = { table, now: systemClock, sendAll, report };
    const [sent, looks] = await Promise.all([
      resendDueActions(ports, deadlineMs),
      resendDueIntake(ports, deadlineMs),
    ]);
    return { sent, looks };
  },
);
