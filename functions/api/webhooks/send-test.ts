import { testWebhookOperation } from '../../../lib/webhooks/deliveries/operations.ts';
import { sendTestEvent } from '../../../lib/webhooks/deliveries/send-test.ts';
import { apiHandler } from '../../middleware/api.ts';
import { setOffPorts } from './set-off.ts';

const ports = setOffPorts();

/** `POST /v1/webhooks/{id}/test` */
export const handler = apiHandler(testWebhookOperation, async ({ context, path }) => ({
  status: 202,
  body: { delivery: await sendTestEvent({ ...context, ...ports }, path.id) },
}));
