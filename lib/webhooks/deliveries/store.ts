import { toTimestamp } from '../../kernel/clock.ts';
import { derivedTimeId } from '../../kernel/ids.ts';
import { requireMove } from '../../kernel/life-cycle.ts';
import { absent } from '../../table/condition.ts';
import { getItem, updateItem } from '../../table/items.ts';
import { deliveryKey, deliveryShard } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { putPart, type TransactionItems } from '../../table/transaction.ts';
import { removed } from '../../table/update.ts';
import {
  Delivery,
  type DeliveryAttempt,
  type DeliveryStatus,
  deliveryLifeCycle,
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
  return putPart(table, deliveryItem(delivery), { pk: absent });
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
  const item = await getItem(table, deliveryKey(ref));
  const delivery = item && Delivery.parse(item);
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
  const { attempts, failures, attemptNumber } = delivery;
  const isPending = after.status === 'pending';
  return moveTo(table, delivery, after.status, isPending ? after.nextAttemptMs : undefined, {
    attempts: [...attempts, ...(attempt ? [attempt] : [])].slice(-webhookLimits.keptAttempts),
    failures: failures + (after.status === 'delivered' || !attempt ? 0 : 1),
    attemptNumber: attemptNumber + (isPending ? 1 : 0),
  });
}

/**
 * Moves a waiting delivery ahead in the index of what is due, without moving its attempt: whoever sends its message
 * again does this first, so that the next sweep does not send it once more.
 *
 * @param dueMs epoch milliseconds
 * @returns false if it has moved on meanwhile
 */
export async function postponeSweep(table: Table, delivery: Delivery, dueMs: number): Promise<boolean> {
  const update = { set: { dueAt: toTimestamp(dueMs) }, if: asRead(delivery) };
  return (await updateItem(table, deliveryKey(delivery), update)).written;
}

/**
 * Begins a new round of attempts for a delivery that has ended, with the same bytes. Its attempts so far stay in the
 * log.
 *
 * @param delivery as it was read
 * @param now epoch milliseconds
 * @returns the delivery as it is now, due at once; `undefined` where it has changed meanwhile or is gone
 */
export function restartDelivery(
  table: Table,
  delivery: Delivery,
  now: number,
): Promise<Delivery | undefined> {
  const changes = { failures: 0, attemptNumber: delivery.attemptNumber + 1 };
  return moveTo(table, delivery, 'pending', now, changes);
}

/**
 * Writes a delivery that is as it was read: every change of its status comes through here.
 *
 * @param nextAttemptMs epoch milliseconds; `undefined` for a delivery that ends
 * @throws ForbiddenMoveError for a move that a delivery never makes
 */
async function moveTo(
  table: Table,
  delivery: Delivery,
  status: DeliveryStatus,
  nextAttemptMs: number | undefined,
  changes: Partial<Delivery>,
): Promise<Delivery | undefined> {
  requireMove('delivery', deliveryLifeCycle, delivery.status, status);
  const nextAttemptAt = nextAttemptMs === undefined ? null : toTimestamp(nextAttemptMs);
  const due = nextAttemptAt
    ? { dueShard: deliveryShard(delivery.id), dueAt: nextAttemptAt }
    : { dueShard: removed, dueAt: removed };
  const update = { set: { ...changes, status, nextAttemptAt, ...due }, if: asRead(delivery) };
  const { written, item } = await updateItem(table, deliveryKey(delivery), update);
  return written ? Delivery.parse(item) : undefined;
}

const asRead = ({ status, attemptNumber }: Delivery) => ({ status, attemptNumber });
