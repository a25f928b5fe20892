import { sweepTokens } from '../../lib/accounts/tokens/refresh-due.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { authorizationFor } from '../../lib/platforms/registry/authorizations.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { accountTokens } from '../wire/account-ports.ts';
import { reportWarning as report } from '../wire/logger.ts';
import { toolsFor } from '../wire/platform-tools.ts';
import { table } from '../wire/table.ts';
import { vault } from '../wire/vault.ts';

/** Every 15 minutes: renews the tokens that are due, ahead of their end. It keeps a reserve by itself. */
export const createHandler = scheduleHandler(
  { table, vault, toolsFor },
  { message: 'tokens were due', reserveMs: 0 },
  (dependencies, deadlineMs) => {
    const tokens = accountTokens(dependencies);
    const { table } = dependencies;
    return sweepTokens({ table, now: systemClock, tokens, authorizationFor, report }, deadlineMs);
  },
);
