import { markAccount } from '../../lib/accounts/store.ts';
import { AccountTokens } from '../../lib/accounts/tokens/access-tokens.ts';
import type { ActPorts } from '../../lib/automations/actions/ports.ts';
import { runAction } from '../../lib/automations/actions/run-action.ts';
import { AutomationMessage } from '../../lib/automations/schemas.ts';
import { openTenantQueue } from '../../lib/aws/queue.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { sleep } from '../../lib/kernel/retry.ts';
import { authorizationFor } from '../../lib/platforms/registry/authorizations.ts';
import { commentPlatformFor } from '../../lib/platforms/registry/comment-platforms.ts';
import { openTable } from '../../lib/table/table.ts';
import { environment } from '../environment.ts';
import { addLogKeys, logger } from '../logger.ts';
import { queueHandler } from '../middleware/queue.ts';
import { platformTools, tokenVault } from '../platform-tools.ts';

const env = environment('TABLE_NAME', 'AUTOMATION_QUEUE_URL', 'PUBLIC_BASE_URL');
const table = openTable(env.TABLE_NAME);
const toolsFor = platformTools();
const uniqueId = () => newId(systemClock());
const tokens = new AccountTokens({
  table,
  vault: tokenVault(),
  now: systemClock,
  sleep,
  uniqueId,
  authorizationFor,
  toolsFor,
});

const ports: ActPorts = {
  table,
  now: systemClock,
  chance: Math.random,
  uniqueId,
  publicBaseUrl: env.PUBLIC_BASE_URL,
  commentPlatformFor,
  toolsFor,
  accessToken: (account, tokensItem) => tokens.accessToken(account, tokensItem),
  renewToken: (account, tokensItem) => tokens.renewToken(account, tokensItem),
  markAccount: (account, status, reason) => markAccount(table, account, status, reason),
  enqueue: openTenantQueue<AutomationMessage>(env.AUTOMATION_QUEUE_URL).send,
  report: (message, error) => logger.error(message, error as Error),
};

/** Sends the public reply or the private message of one action, or finds out what became of it. */
export const handler = queueHandler(async ({ body }) => {
  const message = AutomationMessage.parse(JSON.parse(body));
  const { workspaceId, automationId, action } = message;
  // Not whose: people's ids are nobody's business in a log.
  addLogKeys({ workspaceId, automationId, actionKind: action.split('#')[0] ?? '' });
  const outcome = await runAction(ports, message);
  logger.info('an action was worked', { outcome });
});
