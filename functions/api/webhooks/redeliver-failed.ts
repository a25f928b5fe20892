import { systemClock } from '../../../lib/kernel/clock.ts';
import { redeliverFailedOperation } from '../../../lib/webhooks/deliveries/operations.ts';
import { redeliverFailed } from '../../../lib/webhooks/deliveries/redeliver.ts';
import { apiHandler } from '../../middleware/api.ts';
import { reportWarning } from '../../wire/logger.ts';
import { webhookQueue } from '../../wire/queues.ts';

/** `POST /v1/webhooks/{id}/redeliver-failed` */
export const createHandler = apiHandler(
  redeliverFailedOperation,
  { webhookQueue },
  async ({ context, path, body }) => ({
    status: 202,
    body: await redeliverFailed(
      { ...context, clock: systemClock, sendAll: context.webhookQueue.sendAll, report: reportWarning },
      path.id,
      body,
    ),
  }),
);
