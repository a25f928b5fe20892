import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { toTimestamp } from '../../kernel/clock.ts';
import { derivedTimeId } from '../../kernel/ids.ts';
import { conditionalUpdate } from '../../table/conditional-update.ts';
import { deliveryKey, deliveryShard } from '../../table/keys.ts';
import { putOnce } from '../../table/put-once.ts';
import type { Table } from '../../table/table.ts';
import type { TransactionItems } from '../../table/transaction.ts';
import {
  Delivery,
  type DeliveryAttempt,
  type WebhookEvent,
  type WebhookMessage,
  webhookLimits,
} from '../schemas.ts';

/** What names a delivery. */
export type DeliveryRef = Pick<Delivery, 'workspaceId' | 'webhookId' | 'id'>;

/**
 * One event for one endpoint, due at once. Its id is derived from both and begins with the event's time: an event that
 * is announced twice is one delivery an endpoint.
 *
 * @param now epoch milliseconds
 */
export function newDelivery(
  event: Pick<WebhookEvent, 'id' | 'workspaceId' | 'type' | 'createdAt' | 'expiresAtSeconds'>,
  webhookId: string,
  now: number,
): Delivery {
  const { workspaceId, type, createdAt, expiresAtSeconds } = event;
  return {
    id: derivedTimeId(Date.parse(createdAt), event.id, webhookId),
    workspaceId,
    webhookId,
    eventId: event.id,
    type,
    status: 'pending',
    attemptNumber: 1,
    failures: 0,
    attempts: [],
    nextAttemptAt: toTimestamp(now),
    createdAt,
    expiresAtSeconds,
  };
}

export const messageOf = (delivery: DeliveryRef & Pick<Delivery, 'attemptNumber'>): WebhookMessage => ({
  workspaceId: delivery.workspaceId,
  webhookId: delivery.webhookId,
  deliveryId: delivery.id,
  attemptNumber: delivery.attemptNumber,
});

export function deliveryItem(delivery: Delivery): Record<string, unknown> {
  return {
    ...deliveryKey(delivery),
    kind: 'delivery',
    ...delivery,
    ...(delivery.nextAttemptAt !== null && {
      dueShard: deliveryShard(delivery.id),
      dueAt: delivery.nextAttemptAt,
    }),
  };
}

/** Part of a transaction: a delivery that is there stays as it is. */
export function deliveryPut(table: Table, delivery: Delivery): TransactionItems[number] {
  return {
    Put: {
      TableName: table.name,
      Item: deliveryItem(delivery),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/**
 * Stores a delivery, once, in the index of what is due: from then on it is made, whatever becomes of its message.
 *
 * @returns whether it was new
 */
export async function insertDelivery(table: Table, delivery: Delivery): Promise<boolean> {
  return (await putOnce(table, deliveryItem(delivery))) === undefined;
}

/**
 * The delivery, strongly consistent.
 *
 * @param now epoch milliseconds
 * @returns `undefined` for an id that is unknown or foreign, and for a delivery that has expired
 */
export async function findDelivery(
  table: Table,
  ref: DeliveryRef,
  now: number,
): Promise<Delivery | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: deliveryKey(ref), ConsistentRead: true }),
  );
  const delivery = Item && Delivery.parse(Item);
  return delivery && isKept(delivery, now) ? delivery : undefined;
}

/** DynamoDB removes what has expired within days; to readers it is gone from that second on. */
export function isKept({ expiresAtSeconds }: Pick<Delivery, 'expiresAtSeconds'>, now: number): boolean {
  return expiresAtSeconds * 1_000 > now;
}

/** What follows from an attempt. */
export type AfterAttempt =
  | { readonly status: 'delivered' | 'failed' }
  /** One more attempt, at that time in epoch milliseconds. */
  | { readonly status: 'pending'; readonly nextAttemptMs: number };

/**
 * Writes down an attempt and what follows from it, if the delivery still waits for the attempt of that number.
 *
 * @param delivery as it was read before the attempt
 * @param attempt absent where the delivery ends without one: its endpoint or its event is gone
 * @returns the delivery as it is now; `undefined` where it has moved on (another worker's attempt is the one written
 *   down) or is gone
 */
export async function recordAttempt(
  table: Table,
  delivery: Delivery,
  attempt: DeliveryAttempt | undefined,
  after: AfterAttempt,
): Promise<Delivery | undefined> {
  const isPending = after.status === 'pending';
  const nextAttemptAt = isPending ? toTimestamp(after.nextAttemptMs) : null;
  const { written, item } = await conditionalUpdate(table, {
    Key: deliveryKey(delivery),
    UpdateExpression: `SET #status = :status, attempts = :attempts, failures = :failures, nextAttemptAt = :next, attemptNumber = :number${
      isPending ? ', dueShard = :shard, dueAt = :next' : ' REMOVE dueShard, dueAt'
    }`,
    ConditionExpression: stillWaits,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':status': after.status,
      ':attempts': [...delivery.attempts, ...(attempt ? [attempt] : [])].slice(-webhookLimits.keptAttempts),
      ':failures': delivery.failures + (after.status === 'delivered' || !attempt ? 0 : 1),
      ':next': nextAttemptAt,
      ':number': delivery.attemptNumber + (isPending ? 1 : 0),
      ...(isPending && { ':shard': deliveryShard(delivery.id) }),
      ...waitsFor(delivery),
    },
  });
  return written ? Delivery.parse(item) : undefined;
}

/**
 * Moves a waiting delivery ahead in the index of what is due, without moving its attempt: whoever sends its message
 * again does this first, so that the next sweep does not send it once more.
 *
 * @param dueMs epoch milliseconds
 * @returns false where it has moved on meanwhile
 */
export async function postponeSweep(table: Table, delivery: Delivery, dueMs: number): Promise<boolean> {
  const { written } = await conditionalUpdate(table, {
    Key: deliveryKey(delivery),
    UpdateExpression: 'SET dueAt = :due',
    ConditionExpression: stillWaits,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':due': toTimestamp(dueMs), ...waitsFor(delivery) },
  });
  return written;
}

/**
 * Begins a new round of attempts for a delivery that has ended, with the same bytes. Its attempts so far stay in the
 * log.
 *
 * @param delivery as it was read
 * @param now epoch milliseconds
 * @returns the delivery as it is now, due at once; `undefined` where it has changed meanwhile or is gone
 */
export async function restartDelivery(
  table: Table,
  delivery: Delivery,
  now: number,
): Promise<Delivery | undefined> {
  const { written, item } = await conditionalUpdate(table, {
    Key: deliveryKey(delivery),
    UpdateExpression:
      'SET #status = :pending, failures = :none, attemptNumber = :number, nextAttemptAt = :now, dueShard = :shard, dueAt = :now',
    ConditionExpression: '#status = :before AND attemptNumber = :numberBefore',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':pending': 'pending',
      ':none': 0,
      ':number': delivery.attemptNumber + 1,
      ':now': toTimestamp(now),
      ':shard': deliveryShard(delivery.id),
      ':before': delivery.status,
      ':numberBefore': delivery.attemptNumber,
    },
  });
  return written ? Delivery.parse(item) : undefined;
}

const stillWaits = '#status = :pending AND attemptNumber = :waitsFor';
const waitsFor = ({ attemptNumber }: Delivery) => ({ ':pending': 'pending', ':waitsFor': attemptNumber });
