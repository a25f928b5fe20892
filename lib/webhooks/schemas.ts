import * as z from 'zod';
import type { LifeCycle } from '../kernel/life-cycle.ts';

/** Everything that can happen, as endpoints may ask for it. */
export const WebhookEventType = z
  .enum([
    'post.published',
    'post.failed',
    'account.expired',
    'comment.received',
    'dm.received',
    'webhook.test',
  ])
  .meta({ id: 'WebhookEventType' });
export type WebhookEventType = z.infer<typeof WebhookEventType>;

/** An endpoint as the table keeps it. */
export const Webhook = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  /** As it was given, after the checks; compared by its normal form. */
  url: z.string(),
  events: z.array(WebhookEventType),
  /** Whether it is sent anything: switched by the user, and off when Herald gives the endpoint up. */
  isActive: z.boolean(),
  description: z.string().nullable(),
  /** Since when every attempt has failed; absent while the last one went through. */
  failingSince: z.string().optional(),
  /** What a person should know: why it fails, or why it was switched off. */
  statusMessage: z.string().nullable(),
  /** Sealed by the vault. */
  secret: z.string(),
  /** Sealed; signs beside the new one until `previousSecretUntil`. */
  previousSecret: z.string().optional(),
  previousSecretUntil: z.string().optional(),
  createdAt: z.string(),
  /** Raised by every write a client makes. */
  version: z.int(),
});
export type Webhook = z.infer<typeof Webhook>;

export const WebhookStatus = z.enum(['active', 'failing', 'disabled']).meta({
  id: 'WebhookStatus',
  description:
    '`failing`: nothing has gone through of late, and Herald goes on trying. `disabled`: it is sent nothing, because `isActive` is false',
});
export type WebhookStatus = z.infer<typeof WebhookStatus>;

export function webhookStatus({
  isActive,
  failingSince,
}: Pick<Webhook, 'isActive' | 'failingSince'>): WebhookStatus {
  if (!isActive) return 'disabled';
  return failingSince === undefined ? 'active' : 'failing';
}

/** Turning an endpoint on again forgets how it failed. */
export const webhookLifeCycle: LifeCycle<WebhookStatus> = {
  active: ['failing', 'disabled'],
  failing: ['active', 'disabled'],
  disabled: ['active'],
};

/** What is sent: the same bytes to every endpoint and in every attempt. */
export const WebhookEvent = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  type: WebhookEventType,
  createdAt: z.string(),
  /** The raw body `{ id, type, createdAt, data }` in UTF-8, compressed by gzip. */
  body: z.instanceof(Uint8Array),
  expiresAtSeconds: z.int(),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;

export const DeliveryStatus = z
  .enum(['pending', 'delivered', 'failed'])
  .meta({ id: 'WebhookDeliveryStatus' });
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** What has ended begins anew by redelivery alone. */
export const deliveryLifeCycle: LifeCycle<DeliveryStatus> = {
  pending: ['delivered', 'failed'],
  delivered: ['pending'],
  failed: ['pending'],
};

/** One POST and what came of it. */
export const DeliveryAttempt = z.object({
  /** When it was begun. */
  at: z.string(),
  /** Null where no answer came. */
  statusCode: z.int().nullable(),
  latencyMs: z.int(),
  /** The first characters of the answer. */
  responseStart: z.string().nullable(),
  /** Why it counts as failed; null where it went through. */
  error: z.string().nullable(),
});
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

/** One event for one endpoint. */
export const Delivery = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  webhookId: z.uuid(),
  eventId: z.uuid(),
  type: WebhookEventType,
  status: DeliveryStatus,
  /** The attempt that is to be made or was made last, from 1. Rises with redelivery, too. */
  attemptNumber: z.int(),
  /** Of the round that began with the event or with the last redelivery: how often it has failed, which picks the gap. */
  failures: z.int(),
  /** The newest 30. */
  attempts: z.array(DeliveryAttempt),
  /** While pending. */
  nextAttemptAt: z.string().nullable(),
  createdAt: z.string(),
  expiresAtSeconds: z.int(),
});
export type Delivery = z.infer<typeof Delivery>;

/** What the queue carries: the attempt of this number is due. */
export const WebhookMessage = z.object({
  workspaceId: z.uuid(),
  webhookId: z.uuid(),
  deliveryId: z.uuid(),
  attemptNumber: z.int(),
});
export type WebhookMessage = z.infer<typeof WebhookMessage>;

export const webhookLimits = {
  endpointsPerWorkspace: 20,
  keptAttempts: 30,
  keptDays: 30,
  urlCharacters: 2_048,
  descriptionCharacters: 500,
  rotationOverlapHours: 24,
} as const;
