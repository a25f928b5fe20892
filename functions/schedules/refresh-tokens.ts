import middy from '@middy/core';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { AccountTokens } from '../../lib/accounts/tokens/access-tokens.ts';
import { sweepTokens } from '../../lib/accounts/tokens/refresh-due.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { sleep } from '../../lib/kernel/retry.ts';
import { authorizationFor } from '../../lib/platforms/registry/authorizations.ts';
import { openTable } from '../../lib/table/table.ts';
import { environment } from '../environment.ts';
import { logger } from '../logger.ts';
import { platformTools, tokenVault } from '../platform-tools.ts';

const lasting = {
  table: openTable(environment('TABLE_NAME').TABLE_NAME),
  now: systemClock,
  authorizationFor,
};
const tokens = new AccountTokens({
  ...lasting,
  vault: tokenVault(),
  sleep,
  uniqueId: () => newId(systemClock()),
  toolsFor: platformTools(),
});
const report = (message: string, error: unknown) => logger.warn(message, error as Error);

/** Every 15 minutes: renews the tokens that are due, ahead of their end. */
export const handler = middy<ScheduledEvent, void, Error, Context>().handler(async (_, context) => {
  const deadline = systemClock() + context.getRemainingTimeInMillis();
  const count = await sweepTokens({ ...lasting, tokens, report }, deadline);
  if (Object.values(count).some((accounts) => accounts > 0)) logger.info('tokens were due', { ...count });
});
