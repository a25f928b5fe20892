import { systemClock } from '../../../lib/kernel/clock.ts';
import { redeliverFailedOperation } from '../../../lib/webhooks/deliveries/operations.ts';
import { redeliverFailed } from '../../../lib/webhooks/deliveries/redeliver.ts';
import { apiHandler } from '../../middleware/api.ts';
import { sendWebhooks } from '../../wire/aws.ts';

/** `POST /v1/webhooks/{id}/redeliver-failed` */
export const build = apiHandler(
  redeliverFailedOperation,
  { sendAll: sendWebhooks },
  async ({ context, path, body }) => ({
    status: 202,
    body: await redeliverFailed({ ...context, clock: systemClock }, path.id, body),
  }),
);
