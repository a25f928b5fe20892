import { rotateSecretOperation } from '../../../lib/webhooks/endpoints/operations.ts';
import { rotateSecret } from '../../../lib/webhooks/endpoints/rotate-secret.ts';
import { apiHandler } from '../../middleware/api.ts';
import { tokenVault } from '../../token-vault.ts';

const vault = tokenVault();

/** `POST /v1/webhooks/{id}/rotate-secret` */
export const handler = apiHandler(rotateSecretOperation, async ({ context, path }) => ({
  status: 200,
  body: { webhook: await rotateSecret({ ...context, vault }, path.id) },
}));
