import { listDeliveries } from '../../../lib/webhooks/deliveries/lists.ts';
import { listDeliveriesOperation } from '../../../lib/webhooks/deliveries/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/webhooks/{id}/deliveries` */
export const build = apiHandler(listDeliveriesOperation, {}, async ({ context, path, query }) => ({
  status: 200,
  body: await listDeliveries(context, path.id, query),
}));
