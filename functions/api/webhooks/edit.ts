import { editWebhook } from '../../../lib/webhooks/endpoints/edit.ts';
import { editWebhookOperation } from '../../../lib/webhooks/endpoints/operations.ts';
import { apiHandler } from '../../middleware/api.ts';
import { network } from '../../wire/public-network.ts';

/** `PATCH /v1/webhooks/{id}` */
export const build = apiHandler(editWebhookOperation, { network }, async ({ context, path, body }) => ({
  status: 200,
  body: { webhook: await editWebhook(context, path.id, body) },
}));
