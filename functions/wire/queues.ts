import type { AutomationMessage } from '../../lib/automations/schemas.ts';
import { openQueue, openTenantQueue, type Queue, type TenantQueue } from '../../lib/aws/queue.ts';
import type { ChainMessage } from '../../lib/posts/chain/schemas.ts';
import type { PublishMessage } from '../../lib/publishing/message.ts';
import type { WebhookMessage } from '../../lib/webhooks/schemas.ts';
import type { Wire } from './start.ts';

export const publishQueue: Wire<TenantQueue<PublishMessage>> = (environment) =>
  openTenantQueue(environment('PUBLISH_QUEUE_URL'));

export const chainQueue: Wire<TenantQueue<ChainMessage>> = (environment) =>
  openTenantQueue(environment('CHAIN_QUEUE_URL'));

export const webhookQueue: Wire<TenantQueue<WebhookMessage>> = (environment) =>
  openTenantQueue(environment('WEBHOOK_QUEUE_URL'));

export const automationQueue: Wire<TenantQueue<AutomationMessage>> = (environment) =>
  openTenantQueue(environment('AUTOMATION_QUEUE_URL'));

/** What platforms have told and nobody has read yet. */
export const inboundQueue: Wire<Queue> = (environment) => openQueue(environment('INBOUND_QUEUE_URL'));

export const publishDeadLetters: Wire<Queue> = (environment) =>
  openQueue(environment('PUBLISH_DEAD_LETTER_URL'));

/** Of both functions that read the table's stream. */
export const streamDeadLetters: Wire<Queue> = (environment) =>
  openQueue(environment('STREAM_DEAD_LETTER_URL'));
