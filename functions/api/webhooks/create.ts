import { createWebhook } from '../../../lib/webhooks/endpoints/create.ts';
import { createWebhookOperation } from '../../../lib/webhooks/endpoints/operations.ts';
import { parsePlainHttpHosts } from '../../../lib/webhooks/transport/url.ts';
import { environment } from '../../environment.ts';
import { apiHandler } from '../../middleware/api.ts';
import { tokenVault } from '../../token-vault.ts';

const { WEBHOOK_PLAIN_HTTP_HOSTS } = environment('WEBHOOK_PLAIN_HTTP_HOSTS');
const ports = {
  vault: tokenVault(),
  network: { plainHttpHosts: parsePlainHttpHosts(WEBHOOK_PLAIN_HTTP_HOSTS) },
};

/** `POST /v1/webhooks` */
export const handler = apiHandler(createWebhookOperation, async ({ context, body }) => ({
  status: 201,
  body: { webhook: await createWebhook({ ...context, ...ports }, body) },
}));
