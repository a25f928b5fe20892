import { type Clock, secondMs, toTimestamp } from '../../kernel/clock.ts';
import { batchGet } from '../../table/batch-get.ts';
import { deliveryKey, webhookEventKey, webhookKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { noteHealth } from '../endpoints/health.ts';
import { eventBody } from '../events/store.ts';
import { Delivery, type DeliveryAttempt, Webhook, WebhookEvent, type WebhookMessage } from '../schemas.ts';
import type { AttemptOutcome, WebhookSender } from '../transport/sender.ts';
import { longestQueueDelayMs, retryWaitMs } from './retry-schedule.ts';
import { type AfterAttempt, isKept, messageOf, recordAttempt } from './store.ts';

export interface DeliverPorts {
  readonly table: Table;
  readonly now: Clock;
  /** A number in [0, 1). */
  readonly chance: () => number;
  readonly openSecret: (endpoint: Webhook, sealed: string) => Promise<string>;
  readonly send: WebhookSender['send'];
  readonly enqueue: (message: WebhookMessage, delaySeconds: number) => Promise<void>;
}

export interface ReceivedMessage {
  readonly message: WebhookMessage;
  /** Whether it was received before and not worked to its end. */
  readonly isAgain: boolean;
}

/** What became of a message. Where it is thrown instead, the message has to come again. */
export type DeliverOutcome =
  | 'delivered'
  /** One more attempt waits. */
  | 'to be tried again'
  /** It was the last attempt, or the endpoint or the event is gone. */
  | 'failed'
  /** The delivery waits for a later attempt, whose message was sent once more. */
  | 'sent on'
  /** There is nothing left to do. */
  | 'dropped';

/**
 * Works messages side by side, each to its own end: one attempt, and what follows from it. No lease is taken: a
 * message that comes twice may be an attempt that is made twice, with the same delivery id.
 *
 * A crash loses nothing: before the attempt is written down the message comes again and makes it anew; after that, the
 * message finds that the delivery has moved on and sends the next one's message.
 *
 * @returns in the order of the messages
 */
export async function deliver(
  ports: DeliverPorts,
  received: readonly ReceivedMessage[],
): Promise<readonly PromiseSettledResult<DeliverOutcome>[]> {
  const batch = await readBatch(
    ports,
    received.map(({ message }) => message),
  );
  const begun = new Map<string, Promise<DeliverOutcome>>();
  return Promise.allSettled(
    received.map(({ message, isAgain }) => {
      const name = `${message.deliveryId} ${message.attemptNumber}`;
      const work = begun.get(name) ?? workMessage(ports, message, isAgain, batch);
      begun.set(name, work);
      return work;
    }),
  );
}

/** Each throws where the item cannot be read, which is the matter of its message alone. */
interface Batch {
  readonly delivery: (message: WebhookMessage) => Delivery | undefined;
  readonly endpoint: (message: WebhookMessage) => Webhook | undefined;
  readonly event: (delivery: Delivery) => WebhookEvent | undefined;
  readonly noteHealth: typeof noteHealth;
}

/** Two requests, whatever the number of messages; the second only for what is still to be sent. */
async function readBatch({ table }: DeliverPorts, messages: readonly WebhookMessage[]): Promise<Batch> {
  const deliveryKeyOf = (message: WebhookMessage) => deliveryKey({ ...message, id: message.deliveryId });
  const endpointKeyOf = (message: WebhookMessage) => webhookKey(message.workspaceId, message.webhookId);
  const found = await batchGet(
    table,
    messages.flatMap((each) => [deliveryKeyOf(each), endpointKeyOf(each)]),
  );
  const delivery = (message: WebhookMessage) => {
    const item = found.get(deliveryKeyOf(message));
    return item && Delivery.parse(item);
  };
  const eventKeyOf = ({ workspaceId, eventId }: Delivery) => webhookEventKey(workspaceId, eventId);
  const waiting = messages.flatMap((message) => {
    const { data: waits } = Delivery.safeParse(found.get(deliveryKeyOf(message)));
    return waits && isDue(waits, message) ? [waits] : [];
  });
  const events = await batchGet(table, waiting.map(eventKeyOf));
  return {
    delivery,
    endpoint: (message) => {
      const item = found.get(endpointKeyOf(message));
      return item && Webhook.parse(item);
    },
    event: (waits) => {
      const item = events.get(eventKeyOf(waits));
      return item && WebhookEvent.parse(item);
    },
    noteHealth: noteHealthOnce(),
  };
}

/** Attempts of one batch at one endpoint that say the same are one piece of news. */
function noteHealthOnce(): typeof noteHealth {
  const noted = new Map<string, ReturnType<typeof noteHealth>>();
  return (table, endpoint, verdict, now) => {
    const name = `${endpoint.id} ${verdict.delivered} ${verdict.isGone}`;
    const noting = noted.get(name) ?? noteHealth(table, endpoint, verdict, now);
    noted.set(name, noting);
    return noting;
  };
}

const isDue = (delivery: Delivery, { attemptNumber }: WebhookMessage): boolean =>
  delivery.status === 'pending' && delivery.attemptNumber === attemptNumber;

async function workMessage(
  ports: DeliverPorts,
  message: WebhookMessage,
  isAgain: boolean,
  batch: Batch,
): Promise<DeliverOutcome> {
  const delivery = batch.delivery(message);
  if (delivery?.status !== 'pending' || !isKept(delivery, ports.now())) return 'dropped';
  if (!isDue(delivery, message)) {
    // A worker may have died between its write and the next message. One that was never received before is only one
    // too many, and must not become a second message for each attempt to come.
    const wasLost = isAgain && message.attemptNumber < delivery.attemptNumber;
    return wasLost && (await sendOn(ports, delivery)) ? 'sent on' : 'dropped';
  }
  const endpoint = batch.endpoint(message);
  if (!endpoint) return end(ports, delivery, undefined);
  if (!endpoint.isActive) return end(ports, delivery, 'not sent: the endpoint is switched off');
  const event = batch.event(delivery);
  if (!event) return end(ports, delivery, 'not sent: the event is not kept any more');
  return attempt(ports, delivery, endpoint, event, batch);
}

async function attempt(
  ports: DeliverPorts,
  delivery: Delivery,
  endpoint: Webhook,
  event: WebhookEvent,
  batch: Batch,
): Promise<DeliverOutcome> {
  const { table, now } = ports;
  const secrets = await liveSecrets(ports, endpoint);
  const beganMs = now();
  const outcome = await ports.send({
    webhookId: endpoint.id,
    eventId: event.id,
    deliveryId: delivery.id,
    url: endpoint.url,
    body: eventBody(event),
    secrets,
  });
  const switchedOff = await batch.noteHealth(table, endpoint, outcome, now());
  const after = afterAttempt(ports, delivery, outcome, switchedOff !== undefined);
  const { statusCode, latencyMs, responseStart, error } = outcome;
  const entry = { at: toTimestamp(beganMs), statusCode, latencyMs, responseStart, error };
  const recorded = await recordAttempt(table, delivery, entry, after);
  if (!recorded) return 'dropped';
  if (after.status !== 'pending') return after.status;
  await sendOn(ports, recorded);
  return 'to be tried again';
}

function afterAttempt(
  { now, chance }: DeliverPorts,
  { failures }: Delivery,
  { delivered, retryAfterSeconds }: AttemptOutcome,
  isSwitchedOff: boolean,
): AfterAttempt {
  if (delivered) return { status: 'delivered' };
  const waitMs = isSwitchedOff ? undefined : retryWaitMs(failures + 1, chance(), retryAfterSeconds);
  return waitMs === undefined ? { status: 'failed' } : { status: 'pending', nextAttemptMs: now() + waitMs };
}

/** The newest first; the one before it while receivers may still know only that. */
async function liveSecrets({ openSecret, now }: DeliverPorts, endpoint: Webhook): Promise<string[]> {
  const { secret, previousSecret, previousSecretUntil } = endpoint;
  const isOverlap = previousSecretUntil !== undefined && now() < Date.parse(previousSecretUntil);
  const sealed = previousSecret !== undefined && isOverlap ? [secret, previousSecret] : [secret];
  return Promise.all(sealed.map((each) => openSecret(endpoint, each)));
}

/**
 * Sends the message of the attempt that a delivery waits for. A wait that no queue can hold is left to the sweep.
 *
 * Lambda stops a chain of messages that send each other after 16: at most four of a round are sent from here, for its
 * later gaps are longer than a quarter of an hour.
 */
async function sendOn({ enqueue, now }: DeliverPorts, delivery: Delivery): Promise<boolean> {
  const waitMs = Math.max(0, Date.parse(delivery.nextAttemptAt ?? '') - now());
  if (!(waitMs <= longestQueueDelayMs)) return false;
  await enqueue(messageOf(delivery), Math.ceil(waitMs / secondMs));
  return true;
}

/** Ends a delivery without an attempt. The log of an endpoint that is gone is read by nobody. */
async function end(
  { table, now }: DeliverPorts,
  delivery: Delivery,
  reason: string | undefined,
): Promise<DeliverOutcome> {
  const entry: DeliveryAttempt | undefined =
    reason === undefined
      ? undefined
      : { at: toTimestamp(now()), statusCode: null, latencyMs: 0, responseStart: null, error: reason };
  return (await recordAttempt(table, delivery, entry, { status: 'failed' })) ? 'failed' : 'dropped';
}
