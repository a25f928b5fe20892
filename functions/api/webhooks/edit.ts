import { editWebhook } from '../../../lib/webhooks/endpoints/edit.ts';
import { editWebhookOperation } from '../../../lib/webhooks/endpoints/operations.ts';
import { parsePlainHttpHosts } from '../../../lib/webhooks/transport/url.ts';
import { environment } from '../../environment.ts';
import { apiHandler } from '../../middleware/api.ts';

const { WEBHOOK_PLAIN_HTTP_HOSTS } = environment('WEBHOOK_PLAIN_HTTP_HOSTS');
const network = { plainHttpHosts: parsePlainHttpHosts(WEBHOOK_PLAIN_HTTP_HOSTS) };

/** `PATCH /v1/webhooks/{id}` */
export const handler = apiHandler(editWebhookOperation, async ({ context, path, body }) => ({
  status: 200,
  body: { webhook: await editWebhook({ ...context, network }, path.id, body) },
}));
