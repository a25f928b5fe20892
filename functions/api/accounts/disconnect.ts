import { disconnectAccount } from '../../../lib/accounts/disconnect.ts';
import { disconnectAccountOperation } from '../../../lib/accounts/operations.ts';
import { sleep } from '../../../lib/kernel/retry.ts';
import { authorizationFor } from '../../../lib/platforms/registry/authorizations.ts';
import { countWaitingSteps } from '../../../lib/posts/stored/chain-steps.ts';
import { apiHandler } from '../../middleware/api.ts';
import { vault } from '../../wire/aws.ts';
import { toolsFor } from '../../wire/platform-tools.ts';

/** `DELETE /v1/accounts/{id}` */
export const build = apiHandler(
  disconnectAccountOperation,
  { toolsFor, vault },
  async ({ context, path }) => {
    const planned = await disconnectAccount(
      { ...context, sleep, authorizationFor, countWaitingSteps },
      path.id,
    );
    return { status: 200, body: { ok: true, ...planned } };
  },
);
