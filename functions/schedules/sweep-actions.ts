import { wakeWaitingActions } from '../../lib/automations/actions/noted-waits.ts';
import { resendDueActions } from '../../lib/automations/actions/resend-due.ts';
import { resendDueIntake } from '../../lib/automations/inbound/resend-intake.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { automationQueue, table } from '../wire/aws.ts';
import { reportItem } from '../wire/logger.ts';
import { stageFeatures } from '../wire/stage-features.ts';

/**
 * Every minute: wakes actions whose obstacle has passed, and sends messages for actions, held comments and claims that are due and
 * whose message is missing or lost.
 */
export const build = scheduleHandler(
  { table, automationQueue, stageFeatures },
  { message: 'sent actions that were due' },
  async ({ table, stageFeatures, automationQueue: { sendAll } }, deadlineMs) => {
    const report = reportItem('an action cannot be read');
    const ports = { table, now: systemClock, sendAll, report };
    const [woken, sent, looks] = await Promise.all([
      wakeWaitingActions({ ...ports, stageFeatures }, deadlineMs),
      resendDueActions(ports, deadlineMs),
      resendDueIntake(ports, deadlineMs),
    ]);
    return { woken, sent, looks };
  },
);
