import type { WebhookMessage } from '../webhooks/schemas.ts';
import { openTenantQueue, type TenantQueue } from './tenant-queue.ts';

export type WebhookQueue = TenantQueue<WebhookMessage>;

/** Sends the messages of deliveries. */
export function openWebhookQueue(queueUrl: string): WebhookQueue {
  return openTenantQueue(queueUrl);
}
