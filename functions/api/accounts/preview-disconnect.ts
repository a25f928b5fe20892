import { previewDisconnect } from '../../../lib/accounts/disconnect.ts';
import { previewDisconnectOperation } from '../../../lib/accounts/operations.ts';
import { countActiveAutomations } from '../../../lib/automations/store.ts';
import { authorizationFor } from '../../../lib/platforms/registry/authorizations.ts';
import { countWaitingSteps } from '../../../lib/posts/stored/chain-steps.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/accounts/{id}/disconnect-preview` */
export const build = apiHandler(previewDisconnectOperation, {}, async ({ context, path }) => ({
  status: 200,
  body: {
    ...(await previewDisconnect(
      { ...context, authorizationFor, countAutomations: countActiveAutomations, countWaitingSteps },
      path.id,
    )),
  },
}));
