import { editWebhook, parsePlainHttpHosts } from '../../../lib/webhooks/index.ts';
import { editWebhookOperation } from '../../../lib/webhooks/operations.ts';
import { environment } from '../../environment.ts';
import { apiHandler } from '../../middleware/api.ts';

const { WEBHOOK_PLAIN_HTTP_HOSTS } = environment('WEBHOOK_PLAIN_HTTP_HOSTS');
const network = { plainHttpHosts: parsePlainHttpHosts(WEBHOOK_PLAIN_HTTP_HOSTS) };

/** `PATCH /v1/webhooks/{id}` */
export const handler = apiHandler(editWebhookOperation, async ({ context, path, body }) => ({
  status: 200,
  body: { webhook: await editWebhook({ ...context, network }, path.id, body) },
}));
