import { sweepAccounts } from '../../lib/accounts/sweep.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { authorizationFor } from '../../lib/platforms/registry/authorizations.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { accountTokens } from '../wire/account-ports.ts';
import { table, vault } from '../wire/aws.ts';
import { reportWarning as report } from '../wire/logger.ts';
import { toolsFor } from '../wire/platform-tools.ts';

/**
 * Every 15 minutes: refreshes tokens before they expire, and records which accounts' access ends soon. It has no `reserveMs`
 * here, because it keeps its own reserve.
 */
export const build = scheduleHandler(
  { table, vault, toolsFor },
  { message: 'accounts were due', reserveMs: 0 },
  (dependencies, deadlineMs) => {
    const tokens = accountTokens(dependencies);
    const { table } = dependencies;
    return sweepAccounts({ table, now: systemClock, tokens, authorizationFor, report }, deadlineMs);
  },
);
