import { openTenantQueue } from '../../../lib/aws/queue.ts';
import type { WebhookMessage } from '../../../lib/webhooks/schemas.ts';
import { environment } from '../../environment.ts';
import { logger } from '../../logger.ts';

/** Sends the messages of deliveries that a request has committed. */
export function setOffPorts() {
  const { WEBHOOK_QUEUE_URL } = environment('WEBHOOK_QUEUE_URL');
  return {
    sendAll: openTenantQueue<WebhookMessage>(WEBHOOK_QUEUE_URL).sendAll,
    report: (message: string, details: Readonly<Record<string, unknown>>) =>
      logger.warn(message, { ...details }),
  };
}
