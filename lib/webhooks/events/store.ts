import { gunzipSync, gzipSync } from 'node:zlib';
import { toTimestamp } from '../../kernel/clock.ts';
import { batchGet } from '../../table/batch-get.ts';
import { batchPut } from '../../table/batch-write.ts';
import { absent } from '../../table/condition.ts';
import { webhookEventKey } from '../../table/keys.ts';
import { defaultRetention, type Retention } from '../../table/retention.ts';
import type { Table } from '../../table/table.ts';
import { putPart, type TransactionItems } from '../../table/transaction.ts';
import type { WebhookEvent, WebhookEventType } from '../schemas.ts';

/** An event before it is stored. */
export interface EventDraft {
  /** Derived from the change, so that a change that the stream delivers twice gives the same event. */
  readonly id: string;
  readonly workspaceId: string;
  readonly type: WebhookEventType;
  /** Epoch milliseconds. */
  readonly atMs: number;
  /** The accounts that it is about. An endpoint may ask for the events of some accounts only. */
  readonly accountIds: readonly string[];
  /**
   * All accounts of the post that it is about, and of the post's chain, if these are more than `accountIds`. A key that is limited
   * to some accounts sees an event of a post only if it sees the post.
   */
  readonly postAccountIds?: readonly string[];
  /** The envelope's `data`, in the form of the API. */
  readonly data: unknown;
}

/**
 * Returns a new event with the bytes that are sent to every receiver.
 *
 * @param retention.deliveries the days for which the event and its deliveries are kept
 */
export function newEvent(
  draft: Omit<EventDraft, 'accountIds' | 'postAccountIds'>,
  { deliveries }: Pick<Retention, 'deliveries'> = defaultRetention,
): WebhookEvent {
  const { id, workspaceId, type, atMs, data } = draft;
  const createdAt = toTimestamp(atMs);
  return {
    id,
    workspaceId,
    type,
    createdAt,
    body: gzipSync(JSON.stringify({ id, type, createdAt, data })),
    expiresAtSeconds: Math.floor(atMs / 1_000) + deliveries * 86_400,
  };
}

/** Returns the raw body. It is always the same, byte for byte. */
export function eventBody(event: Pick<WebhookEvent, 'body'>): Buffer {
  return gunzipSync(event.body);
}

export function eventItem(event: WebhookEvent): Record<string, unknown> {
  return { ...webhookEventKey(event.workspaceId, event.id), kind: 'webhookEvent', ...event };
}

/** Returns the part of a transaction that stores an event unless it exists. */
export function eventPut(table: Table, event: WebhookEvent): TransactionItems[number] {
  return putPart(table, eventItem(event), { pk: absent });
}

/**
 * Stores events that do not exist yet, 100 in five requests. Two concurrent runs may both write an event: its bytes follow from
 * the change that caused it, so the second write changes nothing.
 *
 * @param events events with different ids
 * @returns the ids of the new ones; the others keep their stored bytes
 */
export async function insertEvents(table: Table, events: readonly WebhookEvent[]): Promise<Set<string>> {
  const keyOf = ({ workspaceId, id }: WebhookEvent) => webhookEventKey(workspaceId, id);
  const found = await batchGet(table, events.map(keyOf));
  const fresh = events.filter((event) => found.get(keyOf(event)) === undefined);
  await batchPut(table, fresh.map(eventItem));
  return new Set(fresh.map(({ id }) => id));
}
