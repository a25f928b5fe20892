import { createWebhook } from '../../../lib/webhooks/endpoints/create.ts';
import { createZernioWebhookOperation } from '../../../lib/zernio/webhooks.ts';
import { apiHandler } from '../../middleware/api.ts';
import { vault } from '../../wire/aws.ts';
import { network } from '../../wire/public-network.ts';

/** Registers an endpoint that gets events in Zernio's form. */
export const build = apiHandler(
  createZernioWebhookOperation,
  { network, vault },
  async ({ context, body: { secret, ...body } }) => ({
    status: 201,
    body: {
      webhook: await createWebhook(context, body, {
        format: 'zernio',
        ...(secret !== undefined && { secret }),
      }),
    },
  }),
);
