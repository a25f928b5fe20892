import { testWebhookOperation } from '../../../lib/webhooks/deliveries/operations.ts';
import { sendTestEvent } from '../../../lib/webhooks/deliveries/send-test.ts';
import { apiHandler } from '../../middleware/api.ts';
import { reportWarning } from '../../wire/logger.ts';
import { webhookQueue } from '../../wire/queues.ts';

/** `POST /v1/webhooks/{id}/test` */
export const createHandler = apiHandler(
  testWebhookOperation,
  { webhookQueue },
  async ({ context, path }) => ({
    status: 202,
    body: {
      delivery: await sendTestEvent(
        { ...context, sendAll: context.webhookQueue.sendAll, report: reportWarning },
        path.id,
      ),
    },
  }),
);
