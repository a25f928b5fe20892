import { openWebhookQueue } from '../../../lib/aws/webhook-queue.ts';
import { environment } from '../../environment.ts';
import { logger } from '../../logger.ts';

/** Sends the messages of deliveries that a request has committed. */
export function setOffPorts() {
  const { WEBHOOK_QUEUE_URL } = environment('WEBHOOK_QUEUE_URL');
  return {
    sendAll: openWebhookQueue(WEBHOOK_QUEUE_URL).sendAll,
    report: (message: string, details: Readonly<Record<string, unknown>>) =>
      logger.warn(message, { ...details }),
  };
}
