import { countedPlatforms } from '../../lib/insights/counted-platforms.ts';
import { readDueNumbers } from '../../lib/insights/sweep.ts';
import { readAccountDays } from '../../lib/insights/sweep-accounts.ts';
import { secondMs, systemClock } from '../../lib/kernel/clock.ts';
import { insightsFor } from '../../lib/platforms/registry/insights.ts';
import { queryReceivers } from '../../lib/webhooks/endpoints/store.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { accountPorts } from '../wire/account-ports.ts';
import { table, vault } from '../wire/aws.ts';
import { reportWarning as report } from '../wire/logger.ts';
import { toolsFor } from '../wire/platform-tools.ts';
import { stageFeatures } from '../wire/stage-features.ts';

/** A slice of posts or a page of workspaces is begun only if this much time is left. */
const reserveMs = 90 * secondMs;

/** Every 15 minutes: reads the numbers of posts that are due, and those of accounts once a day. */
export const build = scheduleHandler(
  { table, vault, toolsFor, stageFeatures },
  { message: 'numbers were read', reserveMs },
  async (dependencies, deadlineMs) => {
    const { table, stageFeatures } = dependencies;
    if (countedPlatforms(stageFeatures).length === 0)
      return { read: 0, gone: 0, putOff: 0, accounts: 0, failures: 0 };
    const isHeard = async (workspaceId: string) => {
      const { endpoints, hasFeed } = await queryReceivers(table, workspaceId);
      return hasFeed || endpoints.some(({ isActive }) => isActive);
    };
    const ports = {
      ...accountPorts(dependencies),
      now: systemClock,
      insightsFor,
      stageFeatures,
      isHeard,
      report,
    };
    const count = await readDueNumbers(ports, deadlineMs);
    return { ...count, accounts: await readAccountDays(ports, deadlineMs) };
  },
);
