import { redeliverOperation } from '../../../lib/webhooks/deliveries/operations.ts';
import { redeliver } from '../../../lib/webhooks/deliveries/redeliver.ts';
import { apiHandler } from '../../middleware/api.ts';
import { sendWebhooks } from '../../wire/aws.ts';

/** `POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver` */
export const build = apiHandler(redeliverOperation, { sendAll: sendWebhooks }, async ({ context, path }) => ({
  status: 202,
  body: { delivery: await redeliver(context, path.id, path.deliveryId) },
}));
