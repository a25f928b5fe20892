import { createWebhookSender, type WebhookSender } from '../../lib/webhooks/transport/sender.ts';
import { network } from './public-network.ts';
import type { Wire } from './start.ts';

export const webhookSender: Wire<WebhookSender> = (environment) => createWebhookSender(network(environment));
