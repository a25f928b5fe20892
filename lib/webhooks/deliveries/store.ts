import { isDeepStrictEqual } from 'node:util';
import { toTimestamp } from '../../kernel/clock.ts';
import { derivedTimeId } from '../../kernel/ids.ts';
import { requireMove } from '../../kernel/life-cycle.ts';
import { absent } from '../../table/condition.ts';
import { getItem, updateItem } from '../../table/items.ts';
import { deliveryKey, deliveryShard, replayedShard } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { putPart, type TransactionItems, transact, updatePart } from '../../table/transaction.ts';
import { type ItemUpdate, removed } from '../../table/update.ts';
import {
  Delivery,
  type DeliveryAttempt,
  type DeliveryStatus,
  deliveryLifeCycle,
  type WebhookEvent,
  type WebhookMessage,
  webhookLimits,
} from '../schemas.ts';

/** The fields that identify a delivery. */
export type DeliveryRef = Pick<Delivery, 'workspaceId' | 'webhookId' | 'id'>;

/**
 * Returns a new delivery of one event to one endpoint, due immediately. Idempotent: its id is derived from both, so announcing an
 * event twice gives the same delivery. The id begins with the event's time.
 *
 * @param now epoch milliseconds
 * @param replayId the replay that sends the event again, which is another delivery
 */
export function newDelivery(
  event: Pick<WebhookEvent, 'id' | 'workspaceId' | 'type' | 'createdAt' | 'expiresAtSeconds'>,
  webhookId: string,
  now: number,
  replayId?: string,
): Delivery {
  const { workspaceId, type, createdAt, expiresAtSeconds } = event;
  return {
    id: derivedTimeId(Date.parse(createdAt), event.id, webhookId, ...(replayId ? [replayId] : [])),
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
    ...(replayId && { replayId }),
  };
}

/** Returns the queue message for the next attempt of a delivery. */
export const messageOf = (
  delivery: DeliveryRef & Pick<Delivery, 'attemptNumber' | 'eventId' | 'replayId'>,
): WebhookMessage => ({
  workspaceId: delivery.workspaceId,
  webhookId: delivery.webhookId,
  deliveryId: delivery.id,
  attemptNumber: delivery.attemptNumber,
  eventId: delivery.eventId,
  ...(delivery.replayId && { isReplayed: true }),
});

const shardOf = ({ id, replayId }: Pick<Delivery, 'id' | 'replayId'>): string =>
  replayId === undefined ? deliveryShard(id) : replayedShard;

/** Returns the item of a delivery. Only a pending one is in the index `overdue`. */
export function deliveryItem(delivery: Delivery): Record<string, unknown> {
  return {
    ...deliveryKey(delivery),
    kind: 'delivery',
    ...delivery,
    ...(delivery.nextAttemptAt !== null && {
      dueShard: shardOf(delivery),
      dueAt: delivery.nextAttemptAt,
    }),
  };
}

/** Returns the part of a transaction that stores a delivery unless it exists. */
export function deliveryPut(table: Table, delivery: Delivery): TransactionItems[number] {
  return putPart(table, deliveryItem(delivery), { pk: absent });
}

/**
 * Reads a delivery, strongly consistent.
 *
 * @param now epoch milliseconds
 * @returns `undefined` for an unknown id, one of another workspace, and an expired delivery
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

/**
 * Returns true if a delivery has not expired. DynamoDB deletes expired items only after hours or days; readers treat them as gone
 * from their time of expiry on.
 */
export function isKept({ expiresAtSeconds }: Pick<Delivery, 'expiresAtSeconds'>, now: number): boolean {
  return expiresAtSeconds * 1_000 > now;
}

/** The consequence of an attempt. */
export type AfterAttempt =
  | { readonly status: 'delivered' | 'failed' }
  /** Another attempt at that time, in epoch milliseconds. */
  | { readonly status: 'pending'; readonly nextAttemptMs: number };

/**
 * Records an attempt and its consequence, if the delivery still waits for the attempt of that number.
 *
 * @param delivery as read before the attempt
 * @param attempt absent if the delivery ends without an attempt because its endpoint is gone
 * @returns the delivery as it is now; `undefined` if another worker's attempt was recorded in the meantime, or the delivery is
 *   gone
 */
export async function recordAttempt(
  table: Table,
  delivery: Delivery,
  attempt: DeliveryAttempt | undefined,
  after: AfterAttempt,
): Promise<Delivery | undefined> {
  const move = recorded({ delivery, attempt, after });
  const { written, item } = await updateItem(table, deliveryKey(delivery), move.update);
  const found = item && Delivery.parse(item);
  // The SDK repeats a write whose response was lost. The repeated one finds this very attempt.
  const isOwn = attempt !== undefined && isDeepStrictEqual(found, move.after);
  return written || isOwn ? found : undefined;
}

/** An attempt to record: see {@link recordAttempt}. */
export interface AttemptRecord {
  readonly delivery: Delivery;
  readonly attempt: DeliveryAttempt | undefined;
  readonly after: AfterAttempt;
}

/**
 * The maximum number of attempts that are recorded one by one: a transaction costs twice the write units. It pays for more,
 * because each request takes a worker's processor half a millisecond.
 */
const mostSingleRecords = 3;

/**
 * Records attempts of several deliveries, in one request if they are many. If one of the deliveries has changed in the meantime,
 * records each by itself.
 *
 * @param records records of different deliveries, at most 100
 * @returns the outcome of {@link recordAttempt} for each, in order
 * @throws every error of the request for many, other than such a change
 */
export async function recordAttempts(
  table: Table,
  records: readonly AttemptRecord[],
): Promise<readonly PromiseSettledResult<Delivery | undefined>[]> {
  if (records.length > mostSingleRecords) {
    const moves = records.map(recorded);
    const parts = records.map(({ delivery }, index) =>
      updatePart(table, deliveryKey(delivery), (moves[index] as Move).update),
    );
    if ((await transact(table, parts)).committed)
      return moves.map(({ after }) => ({ status: 'fulfilled', value: after }));
  }
  return Promise.allSettled(
    records.map(({ delivery, attempt, after }) => recordAttempt(table, delivery, attempt, after)),
  );
}

function recorded({ delivery, attempt, after }: AttemptRecord): Move {
  const { attempts, failures, attemptNumber } = delivery;
  const isPending = after.status === 'pending';
  return moved(delivery, after.status, isPending ? after.nextAttemptMs : undefined, {
    attempts: [...attempts, ...(attempt ? [attempt] : [])].slice(-webhookLimits.keptAttempts),
    failures: failures + (after.status === 'delivered' || !attempt ? 0 : 1),
    attemptNumber: attemptNumber + (isPending ? 1 : 0),
  });
}

/**
 * Moves a pending delivery to a later time in the index `overdue`. Its attempt stays as planned. The sweep calls this before it
 * resends a message, so that the next sweep does not send it again.
 *
 * @param dueMs epoch milliseconds
 * @returns false if the delivery has changed in the meantime
 */
export async function postponeSweep(table: Table, delivery: Delivery, dueMs: number): Promise<boolean> {
  const update = { set: { dueAt: toTimestamp(dueMs) }, if: asRead(delivery) };
  return (await updateItem(table, deliveryKey(delivery), update)).written;
}

/**
 * Starts a new round of attempts for a delivery that has ended, with the same bytes. Earlier attempts stay in the log.
 *
 * @param delivery as read
 * @param now epoch milliseconds
 * @param audit the entry of the audit log, stored in the same transaction
 * @returns the delivery as it is now, due immediately; `undefined` if it has changed in the meantime or is gone
 */
export async function restartDelivery(
  table: Table,
  delivery: Delivery,
  now: number,
  audit: TransactionItems = [],
): Promise<Delivery | undefined> {
  const { update, after } = moved(delivery, 'pending', now, {
    failures: 0,
    attemptNumber: delivery.attemptNumber + 1,
  });
  if (audit.length === 0) return write(table, delivery, update);
  const outcome = await transact(table, [updatePart(table, deliveryKey(delivery), update), ...audit]);
  return outcome.committed ? after : undefined;
}

interface Move {
  readonly update: ItemUpdate;
  readonly after: Delivery;
}

/**
 * Builds the update of a delivery that has not changed since it was read. Every change of its status goes through here.
 *
 * @param nextAttemptMs epoch milliseconds; `undefined` for a delivery that ends
 * @returns the update, and the delivery after it
 * @throws ForbiddenMoveError for a move that the life cycle does not allow
 */
function moved(
  delivery: Delivery,
  status: DeliveryStatus,
  nextAttemptMs: number | undefined,
  changes: Partial<Delivery>,
): Move {
  requireMove('delivery', deliveryLifeCycle, delivery.status, status);
  const nextAttemptAt = nextAttemptMs === undefined ? null : toTimestamp(nextAttemptMs);
  const due = nextAttemptAt
    ? { dueShard: shardOf(delivery), dueAt: nextAttemptAt }
    : { dueShard: removed, dueAt: removed };
  const set = { ...changes, status, nextAttemptAt };
  return { update: { set: { ...set, ...due }, if: asRead(delivery) }, after: { ...delivery, ...set } };
}

async function write(table: Table, delivery: Delivery, update: ItemUpdate): Promise<Delivery | undefined> {
  const { written, item } = await updateItem(table, deliveryKey(delivery), update);
  return written ? Delivery.parse(item) : undefined;
}

const asRead = ({ status, attemptNumber }: Delivery) => ({ status, attemptNumber });
