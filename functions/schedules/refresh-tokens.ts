import { sweepAccounts } from '../../lib/accounts/sweep.ts';
import { secondMs, systemClock } from '../../lib/kernel/clock.ts';
import { HeraldError } from '../../lib/kernel/errors.ts';
import { versionInUse } from '../../lib/platforms/contract/api-versions.ts';
import type { Platform } from '../../lib/platforms/contract/names.ts';
import { authorizationFor } from '../../lib/platforms/registry/authorizations.ts';
import { tellOfEndingVersions } from '../../lib/webhooks/version-notices.ts';
import { scheduleHandler } from '../middleware/schedule.ts';
import { accountTokens } from '../wire/account-ports.ts';
import { table, vault } from '../wire/aws.ts';
import { reportWarning as report } from '../wire/logger.ts';
import { type ToolsFor, toolsFor } from '../wire/platform-tools.ts';

/** A page of workspaces is begun only if this much time is left. */
const pageReserveMs = 30 * secondMs;

/** Returns a function that returns the version of a platform's API that the stage uses; undefined without usable credentials. */
const versionsOf = (toolsFor: ToolsFor) => async (platform: Platform) => {
  try {
    return versionInUse(platform, await toolsFor(platform));
  } catch (error) {
    if (error instanceof HeraldError && error.code === 'platform_not_configured') return undefined;
    throw error;
  }
};

/**
 * Every 15 minutes: refreshes tokens before they expire, records which accounts' access ends soon, and tells workspaces which version
 * of a platform's API ends soon. It has no `reserveMs`
 * here, because it keeps its own reserve.
 */
export const build = scheduleHandler(
  { table, vault, toolsFor },
  { message: 'accounts were due', reserveMs: 0 },
  async (dependencies, deadlineMs) => {
    const tokens = accountTokens(dependencies);
    const { table, toolsFor } = dependencies;
    const ports = { table, now: systemClock, report };
    const sweeping = sweepAccounts({ ...ports, tokens, authorizationFor }, deadlineMs);
    const telling = tellOfEndingVersions(
      { ...ports, versionOf: versionsOf(toolsFor) },
      deadlineMs - pageReserveMs,
    );
    await Promise.allSettled([sweeping, telling]);
    return { ...(await sweeping), versionsTold: await telling };
  },
);
