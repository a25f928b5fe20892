import { editWebhook } from '../../../lib/webhooks/endpoints/edit.ts';
import { editZernioWebhookOperation } from '../../../lib/zernio/webhooks.ts';
import { apiHandler } from '../../middleware/api.ts';
import { vault } from '../../wire/aws.ts';
import { network } from '../../wire/public-network.ts';

/** Changes such an endpoint, and its secret if one is given. */
export const build = apiHandler(
  editZernioWebhookOperation,
  { network, vault },
  async ({ context, path, body: { secret, ...body } }) => ({
    status: 200,
    body: {
      webhook: await editWebhook(
        context,
        path.id,
        body,
        secret === undefined ? {} : { secret, vault: context.vault },
      ),
    },
  }),
);
