import { secondMs } from '../../lib/kernel/clock.ts';
import { accountCheckFor } from '../../lib/platforms/registry/account-checks.ts';
import { rulesFor } from '../../lib/platforms/registry/rules.ts';
import { checkAhead } from '../../lib/risks/check-ahead.ts';
import type { RiskPorts } from '../../lib/risks/ports.ts';
import { runRiskChecks } from '../../lib/risks/run-checks.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { accountPorts } from '../wire/account-ports.ts';
import { table, vault } from '../wire/aws.ts';
import { dailyLimits } from '../wire/daily-limits.ts';
import { reportWarning as report } from '../wire/logger.ts';
import { toolsFor } from '../wire/platform-tools.ts';
import { stageFeatures } from '../wire/stage-features.ts';

/** Every minute: checks the posts that something has happened to, and those that are due in some hours. */
export const build = scheduleHandler(
  { table, vault, toolsFor, dailyLimits, stageFeatures },
  // A question to a platform takes up to 20 seconds.
  { message: 'waiting posts were checked', reserveMs: 25 * secondMs },
  async (dependencies, deadlineMs) => {
    const { dailyLimits, stageFeatures } = dependencies;
    const ports: RiskPorts = {
      ...accountPorts(dependencies),
      report,
      rulesFor,
      stageFeatures,
      dailyLimits,
      accountCheckFor,
    };
    const [ahead, again] = await Promise.all([
      checkAhead(ports, deadlineMs),
      runRiskChecks(ports, deadlineMs),
    ]);
    return {
      posts: ahead.posts + again.posts,
      targets: ahead.targets + again.targets,
      changed: ahead.changed + again.changed,
      failures: ahead.failures + again.failures,
    };
  },
);
