import { listWebhooksOperation } from '../../../lib/webhooks/endpoints/operations.ts';
import { listWebhooks } from '../../../lib/webhooks/endpoints/read.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/webhooks` */
export const build = apiHandler(listWebhooksOperation, {}, async ({ context, query }) => ({
  status: 200,
  body: await listWebhooks(context, query),
}));
