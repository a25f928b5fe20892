import * as z from 'zod';
import type { LifeCycle } from '../kernel/life-cycle.ts';

/** The types of events that endpoints may subscribe to. */
export const WebhookEventType = z
  .enum([
    'post.scheduled',
    'post.published',
    'post.partial',
    'post.failed',
    'post.target.published',
    'post.target.failed',
    'account.expired',
    'comment.received',
    'dm.received',
    'webhook.test',
    'account.connected',
    'account.disconnected',
    'account.expiring',
    'platform.version.ending',
    'post.at_risk',
    'post.risk_cleared',
    'post.target.removed',
    'post.metrics',
  ])
  .meta({ id: 'WebhookEventType' });
export type WebhookEventType = z.infer<typeof WebhookEventType>;

/** The entries that an endpoint may list: event types, or `*` for all of them, including those of later releases. */
export const WebhookSubscription = z
  .enum([...WebhookEventType.options, '*'])
  .meta({ id: 'WebhookSubscription', description: 'A type of event, or `*` for all types' });
export type WebhookSubscription = z.infer<typeof WebhookSubscription>;

/** A form of events other than Herald's own. */
export const WebhookFormat = z.enum(['zernio']);
export type WebhookFormat = z.infer<typeof WebhookFormat>;

/** An endpoint, as stored. */
export const Webhook = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  /** The `href` of the given URL after the checks. Uniqueness is checked on its normal form. */
  url: z.string(),
  events: z.array(WebhookSubscription),
  /** The accounts to whose events it is limited. Absent: events about any account. */
  accountIds: z.array(z.uuid()).optional(),
  /** True if it receives events. The user turns it on and off; Herald turns it off if it keeps failing. */
  isActive: z.boolean(),
  description: z.string().nullable(),
  /** The time since which every attempt has failed; absent if the last one succeeded. */
  failingSince: z.string().optional(),
  /**
   * The time since which it has responded slowly; absent otherwise. Its attempts are made apart from those of other endpoints.
   */
  slowSince: z.string().optional(),
  /**
   * The number of attempts that are left while it has never answered with 2xx; absent once it has, and for endpoints of earlier
   * releases. Nobody proves that a URL is theirs, so an endpoint that does not answer is not sent events for days.
   */
  attemptsLeft: z.int().optional(),
  /** The reason that it fails or was disabled, for people. */
  statusMessage: z.string().nullable(),
  /** The form of its events and of their signatures; absent for Herald's own. */
  format: WebhookFormat.optional(),
  /** The signing secret, sealed by the vault. */
  secret: z.string(),
  /** The previous secret, sealed. It signs together with the new one until `previousSecretUntil`. */
  previousSecret: z.string().optional(),
  previousSecretUntil: z.string().optional(),
  createdAt: z.string(),
  /** Raised by every write of a client. */
  version: z.int(),
});
export type Webhook = z.infer<typeof Webhook>;

export const WebhookStatus = z.enum(['active', 'failing', 'disabled']).meta({
  id: 'WebhookStatus',
  description:
    '`failing`: recent attempts have failed, and the service keeps trying. `disabled`: it receives nothing, because `isActive` is false',
});
export type WebhookStatus = z.infer<typeof WebhookStatus>;

export function webhookStatus({
  isActive,
  failingSince,
}: Pick<Webhook, 'isActive' | 'failingSince'>): WebhookStatus {
  if (!isActive) return 'disabled';
  return failingSince === undefined ? 'active' : 'failing';
}

/** Turning an endpoint on again clears its recorded failures, so `disabled` never becomes `failing`. */
export const webhookLifeCycle: LifeCycle<WebhookStatus> = {
  active: ['failing', 'disabled'],
  failing: ['active', 'disabled'],
  disabled: ['active'],
};

/** Facts about an event that Herald's own form of it does not have. */
export const EventContext = z.object({
  /** The whole post, for an event of one destination. */
  post: z.record(z.string(), z.unknown()).optional(),
  /** The names of the account, for an event that has only its id. */
  account: z.object({ username: z.string().nullable(), displayName: z.string().nullable() }).optional(),
  /** The author of a comment. */
  personId: z.string().optional(),
  messageId: z.string().optional(),
});
export type EventContext = z.infer<typeof EventContext>;

/** A stored event. The same bytes are sent to every endpoint and in every attempt. */
export const WebhookEvent = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  type: WebhookEventType,
  createdAt: z.string(),
  /** The raw body `{ id, type, createdAt, data }` in UTF-8, compressed with gzip. */
  body: z.instanceof(Uint8Array),
  expiresAtSeconds: z.int(),
  /** An {@link EventContext} as JSON, compressed with gzip. Absent unless an endpoint with another form receives the event. */
  context: z.instanceof(Uint8Array).optional(),
  /** Its place in the event feed; absent if it is not in it. */
  sequence: z.int().optional(),
  /** The accounts that it is about. Absent unless it is in the feed, as the next one. */
  accountIds: z.array(z.uuid()).optional(),
  /** See {@link EventDraft}. */
  postAccountIds: z.array(z.uuid()).optional(),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;

export const DeliveryStatus = z
  .enum(['pending', 'delivered', 'failed'])
  .meta({ id: 'WebhookDeliveryStatus' });
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

/** A delivery that has ended becomes pending again only by a redelivery. */
export const deliveryLifeCycle: LifeCycle<DeliveryStatus> = {
  pending: ['delivered', 'failed'],
  delivered: ['pending'],
  failed: ['pending'],
};

/** One POST and its result. */
export const DeliveryAttempt = z.object({
  /** The beginning of the attempt. */
  at: z.string(),
  /** Null if no response came. */
  statusCode: z.int().nullable(),
  latencyMs: z.int(),
  /** The first characters of the response. */
  responseStart: z.string().nullable(),
  /** The reason that the attempt failed; null if it succeeded. */
  error: z.string().nullable(),
});
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;

/** The delivery of one event to one endpoint. */
export const Delivery = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  webhookId: z.uuid(),
  eventId: z.uuid(),
  type: WebhookEventType,
  status: DeliveryStatus,
  /** The number of the next attempt, or of the last one if the delivery has ended; from 1. A redelivery raises it too. */
  attemptNumber: z.int(),
  /** Failed attempts in the current round, which began with the event or the last redelivery. It picks the next gap. */
  failures: z.int(),
  /** The newest 30 attempts. */
  attempts: z.array(DeliveryAttempt),
  /** The time of the next attempt; null unless pending. */
  nextAttemptAt: z.string().nullable(),
  createdAt: z.string(),
  expiresAtSeconds: z.int(),
  /** The replay that made it; absent for the delivery of a new event. */
  replayId: z.uuid().optional(),
});
export type Delivery = z.infer<typeof Delivery>;

/** A queue message: the attempt with this number is due. */
export const WebhookMessage = z.object({
  workspaceId: z.uuid(),
  webhookId: z.uuid(),
  deliveryId: z.uuid(),
  attemptNumber: z.int(),
  /** Lets the worker read the event together with its delivery. Messages of earlier releases do not have it. */
  eventId: z.uuid().optional(),
  /** True for an event that is sent again by a replay, which waits for new ones. */
  isReplayed: z.boolean().optional(),
});
export type WebhookMessage = z.infer<typeof WebhookMessage>;

/** Returns the group of a message in its queue. A workspace's replays are a group of their own, so its new events do not wait for them. */
export const webhookGroup = ({ workspaceId, isReplayed }: WebhookMessage): string =>
  isReplayed ? `${workspaceId}#replay` : workspaceId;

/** A replay that still makes deliveries of events in the feed. An endpoint has one at a time. */
export const Replay = z.object({
  id: z.uuid(),
  workspaceId: z.uuid(),
  webhookId: z.uuid(),
  /** Only events of these types; absent for all that the endpoint receives. */
  types: z.array(WebhookEventType).optional(),
  /** The event up to which the deliveries are made. */
  afterSequence: z.int(),
  /** The last event. */
  throughSequence: z.int(),
  /** True if that was the end of the feed. What was recorded since belongs to the replay too: see `settleMs`. */
  isToEnd: z.boolean(),
  requestedAt: z.string(),
  dueAt: z.string(),
  expiresAtSeconds: z.int(),
});
export type Replay = z.infer<typeof Replay>;

export const webhookLimits = {
  endpointsPerWorkspace: 20,
  keptAttempts: 30,
  keptDays: 30,
  urlCharacters: 2_048,
  descriptionCharacters: 500,
  accounts: 50,
  rotationOverlapHours: 24,
  /** All attempts to an endpoint that has never answered with 2xx. */
  attemptsToUnanswering: 20,
  /** The number of events of the feed that one replay covers. */
  eventsPerReplay: 10_000,
} as const;

/** Returns an endpoint as the audit log names it. Of the URL, only the host: the rest may contain a secret. */
export const endpointSubject = ({ id, url, description }: Pick<Webhook, 'id' | 'url' | 'description'>) => ({
  id,
  name: description ?? URL.parse(url)?.host,
});
