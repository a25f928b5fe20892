import * as z from 'zod';
import { Timestamp } from '../api-contract/fields.ts';
import {
  type Delivery,
  DeliveryAttempt,
  DeliveryStatus,
  type Webhook,
  WebhookEventType,
  WebhookStatus,
  webhookStatus,
} from './schemas.ts';

/** An endpoint as the API shows it. */
export const WebhookView = z
  .object({
    id: z.uuid(),
    url: z.string(),
    events: z.array(WebhookEventType),
    isActive: z.boolean().meta({
      description: 'Turned off by a request, or by the service after `410` or five days of failures',
    }),
    description: z.string().nullable(),
    status: WebhookStatus,
    statusMessage: z
      .string()
      .nullable()
      .meta({ description: 'Why the last attempt failed, or why the service turned the endpoint off' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Webhook' });
export type WebhookView = z.infer<typeof WebhookView>;

/** The only answers with a secret: to creation and to rotation. */
export const WebhookWithSecret = WebhookView.extend({
  secret: z.string().meta({
    description: 'Shown this once. The key of the signature is this whole text, `whsec_` and all',
  }),
}).meta({ id: 'WebhookWithSecret' });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export function toWebhookView(webhook: Webhook): WebhookView {
  const { id, url, events, isActive, description, statusMessage, createdAt } = webhook;
  return {
    id,
    url,
    events,
    isActive,
    description,
    status: webhookStatus(webhook),
    statusMessage,
    createdAt,
  };
}

/** One event for one endpoint as the API shows it. */
export const DeliveryView = z
  .object({
    id: z.uuid().meta({ description: 'What `X-Service-Delivery-Id` carries' }),
    eventId: z.uuid().meta({ description: "The envelope's `id`, and what `X-Service-Event-Id` carries" }),
    type: WebhookEventType,
    status: DeliveryStatus,
    createdAt: Timestamp.meta({ description: 'When the event happened' }),
    attempts: z.array(DeliveryAttempt).meta({ description: 'Oldest first, the newest 30' }),
    nextAttemptAt: Timestamp.nullable().meta({ description: 'While the delivery is pending' }),
  })
  .meta({ id: 'WebhookDelivery' });
export type DeliveryView = z.infer<typeof DeliveryView>;

export function toDeliveryView(delivery: Delivery): DeliveryView {
  const { id, eventId, type, status, createdAt, attempts, nextAttemptAt } = delivery;
  return { id, eventId, type, status, createdAt, attempts, nextAttemptAt };
}
