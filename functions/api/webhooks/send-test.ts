import { testWebhookOperation } from '../../../lib/webhooks/deliveries/operations.ts';
import { sendTestEvent } from '../../../lib/webhooks/deliveries/send-test.ts';
import { apiHandler } from '../../middleware/api.ts';
import { sendWebhooks } from '../../wire/aws.ts';

/** `POST /v1/webhooks/{id}/test` */
export const build = apiHandler(
  testWebhookOperation,
  { sendAll: sendWebhooks },
  async ({ context, path }) => ({
    status: 202,
    body: { delivery: await sendTestEvent(context, path.id) },
  }),
);
