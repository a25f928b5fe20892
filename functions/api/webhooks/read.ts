import { readWebhookOperation } from '../../../lib/webhooks/endpoints/operations.ts';
import { readWebhook } from '../../../lib/webhooks/endpoints/read.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/webhooks/{id}` */
export const build = apiHandler(readWebhookOperation, {}, async ({ context, path }) => ({
  status: 200,
  body: { webhook: await readWebhook(context, path.id) },
}));
