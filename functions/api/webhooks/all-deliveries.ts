import { listAllDeliveries } from '../../../lib/webhooks/deliveries/lists.ts';
import { listAllDeliveriesOperation } from '../../../lib/webhooks/deliveries/operations.ts';
import { apiHandler } from '../../middleware/api.ts';

/** `GET /v1/deliveries` */
export const build = apiHandler(listAllDeliveriesOperation, {}, async ({ context, query }) => ({
  status: 200,
  body: await listAllDeliveries(context, query),
}));
