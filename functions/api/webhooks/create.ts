import { createWebhook } from '../../../lib/webhooks/endpoints/create.ts';
import { createWebhookOperation } from '../../../lib/webhooks/endpoints/operations.ts';
import { apiHandler } from '../../middleware/api.ts';
import { vault } from '../../wire/aws.ts';
import { network } from '../../wire/public-network.ts';

/** `POST /v1/webhooks` */
export const build = apiHandler(createWebhookOperation, { network, vault }, async ({ context, body }) => ({
  status: 201,
  body: { webhook: await createWebhook(context, body) },
}));
