import { systemClock } from '../../../lib/kernel/clock.ts';
import { redeliverFailedOperation } from '../../../lib/webhooks/deliveries/operations.ts';
import { redeliverFailed } from '../../../lib/webhooks/deliveries/redeliver.ts';
import { apiHandler } from '../../middleware/api.ts';
import { setOffPorts } from './set-off.ts';

const ports = { ...setOffPorts(), clock: systemClock };

/** `POST /v1/webhooks/{id}/redeliver-failed` */
export const handler = apiHandler(redeliverFailedOperation, async ({ context, path, body }) => ({
  status: 202,
  body: await redeliverFailed({ ...context, ...ports }, path.id, body),
}));
