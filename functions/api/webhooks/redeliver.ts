import { redeliverOperation } from '../../../lib/webhooks/deliveries/operations.ts';
import { redeliver } from '../../../lib/webhooks/deliveries/redeliver.ts';
import { apiHandler } from '../../middleware/api.ts';
import { reportWarning } from '../../wire/logger.ts';
import { webhookQueue } from '../../wire/queues.ts';

/** `POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver` */
export const createHandler = apiHandler(redeliverOperation, { webhookQueue }, async ({ context, path }) => ({
  status: 202,
  body: {
    delivery: await redeliver(
      { ...context, sendAll: context.webhookQueue.sendAll, report: reportWarning },
      path.id,
      path.deliveryId,
    ),
  },
}));
