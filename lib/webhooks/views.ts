import * as z from 'zod';
import { Timestamp } from '../api-contract/fields.ts';
import {
  type Delivery,
  DeliveryAttempt,
  DeliveryStatus,
  type Webhook,
  WebhookEventType,
  WebhookStatus,
  WebhookSubscription,
  webhookStatus,
} from './schemas.ts';

export const WebhookView = z
  .object({
    id: z.uuid(),
    url: z.string(),
    events: z.array(WebhookSubscription),
    accountIds: z.array(z.uuid()).nullable().meta({
      description: 'Only events about one of these accounts are sent; null: about any account',
    }),
    isActive: z.boolean().meta({
      description: 'Set by you; the service sets it to false after a `410` or five days of failures',
    }),
    description: z.string().nullable(),
    status: WebhookStatus,
    statusMessage: z
      .string()
      .nullable()
      .meta({ description: 'Reason why the last attempt failed, or why the service disabled the endpoint' }),
    createdAt: Timestamp,
  })
  .meta({ id: 'Webhook' });
export type WebhookView = z.infer<typeof WebhookView>;

/** The endpoint with its signing secret: only in the responses to creation and rotation. */
export const WebhookWithSecret = WebhookView.extend({
  secret: z.string().meta({
    description: 'Shown only once. The key of the signature is this whole text, including `whsec_`',
  }),
}).meta({ id: 'WebhookWithSecret' });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export function toWebhookView(webhook: Webhook): WebhookView {
  const { id, url, events, accountIds, isActive, description, statusMessage, createdAt } = webhook;
  return {
    id,
    url,
    events,
    accountIds: accountIds ?? null,
    isActive,
    description,
    status: webhookStatus(webhook),
    statusMessage,
    createdAt,
  };
}

export const DeliveryView = z
  .object({
    id: z.uuid().meta({ description: 'Sent as `X-Service-Delivery-Id`' }),
    webhookId: z.uuid().meta({ description: 'The endpoint' }),
    eventId: z.uuid().meta({ description: "The envelope's `id`, sent as `X-Service-Event-Id`" }),
    type: WebhookEventType,
    status: DeliveryStatus,
    createdAt: Timestamp.meta({ description: 'Time of the event' }),
    attempts: z.array(DeliveryAttempt).meta({ description: 'The newest 30, oldest first' }),
    nextAttemptAt: Timestamp.nullable().meta({ description: 'Null unless the delivery is pending' }),
  })
  .meta({ id: 'WebhookDelivery' });
export type DeliveryView = z.infer<typeof DeliveryView>;

export function toDeliveryView(delivery: Delivery): DeliveryView {
  const { id, webhookId, eventId, type, status, createdAt, attempts, nextAttemptAt } = delivery;
  return { id, webhookId, eventId, type, status, createdAt, attempts, nextAttemptAt };
}
