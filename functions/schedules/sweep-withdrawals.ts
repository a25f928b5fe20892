import { systemClock } from '../../lib/kernel/clock.ts';
import { sweepWithdrawals } from '../../lib/withdrawals/sweep.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { table } from '../wire/aws.ts';
import { reportItem } from '../wire/logger.ts';

/** Every minute: ends access and deletes data, as people have asked at Meta's platforms. */
export const build = scheduleHandler(
  { table },
  { message: 'did what people asked for at platforms' },
  async ({ table }, deadlineMs) => {
    const report = reportItem('a request to end access or delete data failed');
    return sweepWithdrawals({ table, now: systemClock, report }, deadlineMs);
  },
);
