import { createWebhookSender, type WebhookSender } from '../../lib/webhooks/transport/sender.ts';
import { network } from './settings.ts';
import type { Wire } from './start.ts';

export const webhookSender: Wire<WebhookSender> = (environment) => createWebhookSender(network(environment));
