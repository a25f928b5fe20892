import type { WebhookNetwork } from '../../lib/webhooks/transport/resolve.ts';
import { createWebhookSender, type WebhookSender } from '../../lib/webhooks/transport/sender.ts';
import { parsePlainHttpHosts } from '../../lib/webhooks/transport/url.ts';
import type { Wire } from './start.ts';

/** Which hosts webhooks may be sent to. */
export const network: Wire<WebhookNetwork> = (environment) => ({
  plainHttpHosts: parsePlainHttpHosts(environment('WEBHOOK_PLAIN_HTTP_HOSTS')),
});

export const webhookSender: Wire<WebhookSender> = (environment) => createWebhookSender(network(environment));
