import { redeliverOperation } from '../../../lib/webhooks/deliveries/operations.ts';
import { redeliver } from '../../../lib/webhooks/deliveries/redeliver.ts';
import { apiHandler } from '../../middleware/api.ts';
import { setOffPorts } from './set-off.ts';

const ports = setOffPorts();

/** `POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver` */
export const handler = apiHandler(redeliverOperation, async ({ context, path }) => ({
  status: 202,
  body: { delivery: await redeliver({ ...context, ...ports }, path.id, path.deliveryId) },
}));
