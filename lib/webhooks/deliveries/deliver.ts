import { type Clock, secondMs, toTimestamp } from '../../kernel/clock.ts';
import type { Measurement } from '../../metrics/measurements.ts';
import type { Table } from '../../table/table.ts';
import { fastWithinMs, slowAfterMs, takeAttempt } from '../endpoints/health.ts';
import { contextOf, eventBody } from '../events/store.ts';
import type {
  Delivery,
  DeliveryAttempt,
  EventContext,
  Webhook,
  WebhookEvent,
  WebhookFormat,
  WebhookMessage,
} from '../schemas.ts';
import type { AttemptOutcome, SignatureOf, WebhookSender } from '../transport/sender.ts';
import { type Batch, isDue, readBatch } from './batch.ts';
import { longestQueueDelayMs, retryWaitMs } from './retry-schedule.ts';
import { type AfterAttempt, isKept, messageOf } from './store.ts';

export interface DeliverPorts {
  readonly table: Table;
  readonly now: Clock;
  /** Returns a random number in [0, 1). */
  readonly chance: () => number;
  readonly openSecret: (endpoint: Webhook, sealed: string) => Promise<string>;
  readonly send: WebhookSender['send'];
  /** The forms of events other than Herald's own. */
  readonly forms: Readonly<Record<WebhookFormat, EventForm>>;
  readonly lane: Lane;
  /** Sends a message to a lane. */
  readonly enqueue: (lane: Lane, message: WebhookMessage, delaySeconds: number) => Promise<void>;
}

/** A form of events other than Herald's own, for receivers of another service. */
export interface EventForm {
  /** Returns the bytes to send. @param body the event as Herald's own endpoints get it */
  readonly toBody: (body: Uint8Array, context: EventContext) => Uint8Array;
  readonly headersOf: SignatureOf;
}

/**
 * The queue of an attempt, with its own function. Attempts to slow endpoints, and all attempts of replays, use the lane `slow`, so
 * that they never share a batch with others, which would wait for them. An attempt in the lane `main` ends after two seconds; it is then repeated in the
 * lane `slow`.
 */
export type Lane = 'main' | 'slow';

export interface ReceivedMessage {
  readonly message: WebhookMessage;
  /** True if SQS delivered it before and the worker did not finish it. */
  readonly isAgain: boolean;
}

/** The outcome of a message. If the work throws instead, SQS must deliver the message again. */
export type DeliverOutcome =
  | 'delivered'
  /** The attempt failed and another one is scheduled. */
  | 'retry scheduled'
  /** It was the last attempt, the endpoint is disabled or gone, or the event has expired. */
  | 'failed'
  /** The delivery waits for a later attempt, and that attempt's message was sent again. */
  | 'message resent'
  /** The endpoint is slow, or the event is sent again by a replay, so the attempt was left to the slow lane. */
  | 'left to the slow lane'
  /** There is nothing left to do. */
  | 'dropped';

/**
 * Processes messages concurrently and independently: makes one attempt each and records it. Takes no lease, so a message that SQS
 * delivers twice may lead to two POSTs with the same delivery id.
 *
 * A crash loses nothing. If it happens before the attempt is recorded, SQS delivers the message again and the attempt is
 * repeated. If it happens after that, the redelivered message finds the recorded attempt and sends the next message.
 *
 * @returns the outcomes in the order of the messages
 */
export async function deliver(
  ports: DeliverPorts,
  received: readonly ReceivedMessage[],
): Promise<readonly PromiseSettledResult<DeliverOutcome>[]> {
  const batch = await readBatch(
    ports.table,
    received.map(({ message }) => message),
    (endpoint) => liveSecrets(ports, endpoint),
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

async function workMessage(
  ports: DeliverPorts,
  message: WebhookMessage,
  isAgain: boolean,
  batch: Batch,
): Promise<DeliverOutcome> {
  const delivery = batch.delivery(message);
  if (delivery?.status !== 'pending' || !isKept(delivery, ports.now())) return 'dropped';
  if (!isDue(delivery, message)) {
    // If SQS delivered the message before, a worker may have died after it recorded the attempt and before it sent the next
    // message. A first delivery is a duplicate: resending then would double the messages of all later attempts.
    const wasLost = isAgain && message.attemptNumber < delivery.attemptNumber;
    return wasLost && (await sendNext(ports, delivery)) ? 'message resent' : 'dropped';
  }
  const endpoint = batch.endpoint(message);
  if (!endpoint) return end(ports, batch, delivery, undefined);
  if (!endpoint.isActive) return end(ports, batch, delivery, 'not sent: the endpoint is disabled');
  const event = batch.event(delivery);
  if (!event) return end(ports, batch, delivery, 'not sent: the event has expired');
  const isSlow = endpoint.slowSince !== undefined || delivery.replayId !== undefined;
  if (ports.lane === 'main' && isSlow) return leaveToSlowLane(ports, messageOf(delivery));
  return attempt(ports, delivery, endpoint, event, batch);
}

async function attempt(
  ports: DeliverPorts,
  delivery: Delivery,
  endpoint: Webhook,
  event: WebhookEvent,
  batch: Batch,
): Promise<DeliverOutcome> {
  const { table, now, lane } = ports;
  const restReason = await takeAttempt(table, endpoint);
  // A person sends it to find out whether the endpoint answers now. It is sent once.
  const isTest = event.type === 'webhook.test';
  if (restReason !== undefined && !isTest) return end(ports, batch, delivery, `not sent: ${restReason}`);
  const secrets = await batch.secrets(endpoint);
  const beganMs = now();
  const form = endpoint.format && ports.forms[endpoint.format];
  const body = eventBody(event);
  const outcome = await ports.send({
    webhookId: endpoint.id,
    eventId: event.id,
    deliveryId: delivery.id,
    url: endpoint.url,
    body: form ? form.toBody(body, contextOf(event)) : body,
    secrets,
    ...(form && { signatureOf: form.headersOf }),
    ...(lane === 'main' && { totalSeconds: mainLaneSeconds }),
  });
  await batch.updateSpeed(table, endpoint, outcome.latencyMs, now());
  if (lane === 'main' && isUnfinished(outcome)) return leaveToSlowLane(ports, messageOf(delivery));
  if (outcome.delivered) await batch.noteAnswer(table, endpoint);
  const disabledReason = await batch.updateHealth(table, endpoint, outcome, now());
  const isLast = disabledReason !== undefined || restReason !== undefined;
  const after = afterAttempt(ports, delivery, outcome, isLast);
  const { statusCode, latencyMs, responseStart, error } = outcome;
  const entry = { at: toTimestamp(beganMs), statusCode, latencyMs, responseStart, error };
  const recorded = await batch.record({ delivery, attempt: entry, after });
  if (!recorded) return 'dropped';
  if (after.status !== 'pending') return after.status;
  await sendNext(ports, recorded, outcome.latencyMs < fastWithinMs ? 'main' : lane);
  return 'retry scheduled';
}

/** The maximum duration of an attempt in the main lane: long enough that an attempt that reaches it is slow. */
const mainLaneSeconds = (slowAfterMs + 100) / secondMs;

/** True if an attempt in the main lane reached its time limit, so that the receiver's response is unknown. */
function isUnfinished({ delivered, statusCode, latencyMs }: AttemptOutcome): boolean {
  const isRefusal = statusCode !== null && (statusCode < 200 || statusCode >= 300);
  return !delivered && !isRefusal && latencyMs >= slowAfterMs;
}

async function leaveToSlowLane({ enqueue }: DeliverPorts, message: WebhookMessage): Promise<DeliverOutcome> {
  await enqueue('slow', message, 0);
  return 'left to the slow lane';
}

function afterAttempt(
  { now, chance }: DeliverPorts,
  { failures }: Delivery,
  { delivered, retryAfterSeconds }: AttemptOutcome,
  isLast: boolean,
): AfterAttempt {
  if (delivered) return { status: 'delivered' };
  const waitMs = isLast ? undefined : retryWaitMs(failures + 1, chance(), retryAfterSeconds);
  return waitMs === undefined ? { status: 'failed' } : { status: 'pending', nextAttemptMs: now() + waitMs };
}

/** Returns the current secret, then the previous one for as long as it still signs. */
async function liveSecrets({ openSecret, now }: DeliverPorts, endpoint: Webhook): Promise<readonly string[]> {
  const { secret, previousSecret, previousSecretUntil } = endpoint;
  const isOverlap = previousSecretUntil !== undefined && now() < Date.parse(previousSecretUntil);
  const sealed = previousSecret !== undefined && isOverlap ? [secret, previousSecret] : [secret];
  return Promise.all(sealed.map((each) => openSecret(endpoint, each)));
}

/**
 * Sends the message of a delivery's next attempt. If the wait is longer than a queue can delay, the sweep sends it.
 *
 * Lambda stops a loop of messages that send each other after 16. At most four per round are sent here, because the later waits
 * are longer than 15 minutes.
 */
async function sendNext(
  { enqueue, now }: DeliverPorts,
  delivery: Delivery,
  lane: Lane = 'main',
): Promise<boolean> {
  const waitMs = Math.max(0, Date.parse(delivery.nextAttemptAt ?? '') - now());
  if (!(waitMs <= longestQueueDelayMs)) return false;
  await enqueue(delivery.replayId ? 'slow' : lane, messageOf(delivery), Math.ceil(waitMs / secondMs));
  return true;
}

/** Ends a delivery without a POST. Records no attempt if the endpoint is gone, because nobody can read its log. */
async function end(
  { now }: DeliverPorts,
  batch: Batch,
  delivery: Delivery,
  reason: string | undefined,
): Promise<DeliverOutcome> {
  const entry: DeliveryAttempt | undefined =
    reason === undefined
      ? undefined
      : { at: toTimestamp(now()), statusCode: null, latencyMs: 0, responseStart: null, error: reason };
  const recorded = await batch.record({ delivery, attempt: entry, after: { status: 'failed' } });
  return recorded ? 'failed' : 'dropped';
}

/** Returns the metrics of a message's outcome: the success or failure of its attempt, or none if no attempt was made. */
export function measurementsOf(outcome: DeliverOutcome): Measurement[] {
  switch (outcome) {
    case 'delivered':
      return [{ name: 'WebhooksDelivered', value: 1 }];
    case 'retry scheduled':
    case 'failed':
      return [{ name: 'WebhooksNotDelivered', value: 1 }];
    case 'message resent':
    case 'left to the slow lane':
    case 'dropped':
      return [];
  }
}
