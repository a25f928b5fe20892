import { type Turn, together } from '../../kernel/together.ts';
import { batchGet } from '../../table/batch-get.ts';
import { deliveryKey, type Key, webhookEventKey, webhookKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { fastWithinMs, noteAnswer, slowAfterMs, updateHealth, updateSpeed } from '../endpoints/health.ts';
import { Delivery, Webhook, WebhookEvent, type WebhookMessage } from '../schemas.ts';
import { type AttemptRecord, recordAttempts } from './store.ts';

/** The items of a batch. A getter throws if its item cannot be read, so that only the messages that need it fail. */
export interface Batch {
  readonly delivery: (message: WebhookMessage) => Delivery | undefined;
  readonly endpoint: (message: WebhookMessage) => Webhook | undefined;
  readonly event: (delivery: Delivery) => WebhookEvent | undefined;
  /** The secrets of an endpoint, opened once per batch. */
  readonly secrets: (endpoint: Webhook) => Promise<readonly string[]>;
  /** Records an attempt, together with others of the batch. */
  readonly record: RecordOne;
  /** Updates an endpoint's health, once per batch for all attempts with the same verdict. */
  readonly updateHealth: typeof updateHealth;
  /** Records that an endpoint has answered, once per batch. */
  readonly noteAnswer: typeof noteAnswer;
  /** Updates an endpoint's speed, once per batch for all attempts with the same result. */
  readonly updateSpeed: typeof updateSpeed;
}

/**
 * Reads the batch in one request, however many messages it has. A second request reads the events of messages that do not name
 * them.
 *
 * @param openSecrets opens the live secrets of an endpoint
 */
export async function readBatch(
  table: Table,
  messages: readonly WebhookMessage[],
  openSecrets: (endpoint: Webhook) => Promise<readonly string[]>,
): Promise<Batch> {
  const deliveryKeyOf = (message: WebhookMessage) => deliveryKey({ ...message, id: message.deliveryId });
  const endpointKeyOf = (message: WebhookMessage) => webhookKey(message.workspaceId, message.webhookId);
  const eventKeyOf = ({ workspaceId, eventId }: Delivery) => webhookEventKey(workspaceId, eventId);
  const found = await batchGet(
    table,
    messages.flatMap((each) => [deliveryKeyOf(each), endpointKeyOf(each), ...namedEventKey(each)]),
  );
  const deliveries = reader(found, (item) => Delivery.parse(item));
  const endpoints = reader(found, (item) => Webhook.parse(item));
  const waiting = messages.flatMap((message) => {
    const { value } = deliveries(deliveryKeyOf(message));
    return value && isDue(value, message) ? [value] : [];
  });
  const unread = waiting.map(eventKeyOf).filter((key) => found.get(key) === undefined);
  const others = await batchGet(table, unread);
  const events = reader({ get: (key) => found.get(key) ?? others.get(key) }, (item) =>
    WebhookEvent.parse(item),
  );
  const secrets = new Map<string, Promise<readonly string[]>>();
  return {
    delivery: (message) => orThrow(deliveries(deliveryKeyOf(message))),
    endpoint: (message) => orThrow(endpoints(endpointKeyOf(message))),
    event: (waits) => orThrow(events(eventKeyOf(waits))),
    secrets: (endpoint) => once(secrets, endpoint.id, () => openSecrets(endpoint)),
    record: recordTogether(table),
    noteAnswer: noteAnswerOnce(),
    updateHealth: updateHealthOnce(),
    updateSpeed: updateSpeedOnce(),
  };
}

const namedEventKey = ({ workspaceId, eventId }: WebhookMessage): readonly Key[] =>
  eventId === undefined ? [] : [webhookEventKey(workspaceId, eventId)];

/** True if a message is for the attempt for which a delivery waits. */
export const isDue = (delivery: Delivery, { attemptNumber }: WebhookMessage): boolean =>
  delivery.status === 'pending' && delivery.attemptNumber === attemptNumber;

interface ReadItem<Thing> {
  readonly value?: Thing;
  readonly error?: unknown;
}

/** Returns a function that parses each item once. */
function reader<Thing>(
  found: { get(key: Key): Record<string, unknown> | undefined },
  parse: (item: unknown) => Thing,
): (key: Key) => ReadItem<Thing> {
  const parsed = new Map<unknown, ReadItem<Thing>>();
  return (key) => {
    const item = found.get(key);
    return item === undefined ? {} : once(parsed, item, () => attemptTo(() => parse(item)));
  };
}

function attemptTo<Thing>(work: () => Thing): ReadItem<Thing> {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

function orThrow<Thing>({ value, error }: ReadItem<Thing>): Thing | undefined {
  if (error !== undefined) throw error;
  return value;
}

function noteAnswerOnce(): typeof noteAnswer {
  const notes = new Map<string, ReturnType<typeof noteAnswer>>();
  return (table, endpoint) => once(notes, endpoint.id, () => noteAnswer(table, endpoint));
}

function updateHealthOnce(): typeof updateHealth {
  const updates = new Map<string, ReturnType<typeof updateHealth>>();
  return (table, endpoint, verdict, now) =>
    once(updates, `${endpoint.id} ${verdict.delivered} ${verdict.isGone}`, () =>
      updateHealth(table, endpoint, verdict, now),
    );
}

function updateSpeedOnce(): typeof updateSpeed {
  const updates = new Map<string, ReturnType<typeof updateSpeed>>();
  return (table, endpoint, latencyMs, now) =>
    once(updates, `${endpoint.id} ${latencyMs >= slowAfterMs} ${latencyMs < fastWithinMs}`, () =>
      updateSpeed(table, endpoint, latencyMs, now),
    );
}

function once<Name, Value>(known: Map<Name, Value>, name: Name, make: () => Value): Value {
  const value = known.get(name) ?? make();
  known.set(name, value);
  return value;
}

/** Records an attempt: see `recordAttempt`. */
type RecordOne = (record: AttemptRecord) => Promise<Delivery | undefined>;

/** The time to collect attempts: enough for the responses of a receiver that responds to a whole batch at once. */
const joinMs = 5;

/**
 * Returns a function that records the attempts of a batch in few requests: attempts that end within a moment share one. No
 * attempt waits for a slower receiver.
 *
 * @param turn ends that moment; by default `joinMs`
 */
export function recordTogether(table: Table, turn: Turn = (task) => setTimeout(task, joinMs)): RecordOne {
  return together((records: readonly AttemptRecord[]) => recordAttempts(table, records), turn);
}
