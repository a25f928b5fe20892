import { rotateSecretOperation } from '../../../lib/webhooks/endpoints/operations.ts';
import { rotateSecret } from '../../../lib/webhooks/endpoints/rotate-secret.ts';
import { apiHandler } from '../../middleware/api.ts';
import { vault } from '../../wire/aws.ts';

/** `POST /v1/webhooks/{id}/rotate-secret` */
export const build = apiHandler(rotateSecretOperation, { vault }, async ({ context, path }) => ({
  status: 200,
  body: { webhook: await rotateSecret(context, path.id) },
}));
