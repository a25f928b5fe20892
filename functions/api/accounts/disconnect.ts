import { disconnectAccount } from '../../../lib/accounts/disconnect.ts';
import { disconnectAccountOperation } from '../../../lib/accounts/operations.ts';
import { sleep } from '../../../lib/kernel/retry.ts';
import { authorizationFor } from '../../../lib/platforms/registry/authorizations.ts';
import { logger } from '../../logger.ts';
import { apiHandler } from '../../middleware/api.ts';
import { platformTools, tokenVault } from '../../platform-tools.ts';

const ports = {
  vault: tokenVault(),
  sleep,
  authorizationFor,
  toolsFor: platformTools(),
  report: (message: string, error: unknown) => logger.warn(message, error as Error),
};

/** `DELETE /v1/accounts/{id}` */
export const handler = apiHandler(disconnectAccountOperation, async ({ context, path }) => {
  const { scheduledTargets } = await disconnectAccount({ ...context, ...ports }, path.id);
  return { status: 200, body: { ok: true, scheduledTargets } };
});
