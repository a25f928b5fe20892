import { gunzipSync, gzipSync } from 'node:zlib';
import { mapInBatches } from '../../kernel/batches.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { absent } from '../../table/condition.ts';
import { putIfAbsent } from '../../table/items.ts';
import { webhookEventKey } from '../../table/keys.ts';
import { defaultRetention, type Retention } from '../../table/retention.ts';
import type { Table } from '../../table/table.ts';
import { putPart, type TransactionItems } from '../../table/transaction.ts';
import type { Tagged } from '../../tags/schemas.ts';
import { EventContext, type WebhookEvent, type WebhookEventType } from '../schemas.ts';

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
  /** The envelope's `data`, in the form of the API. Names of tags are missing in it: see `tagged`. */
  readonly data: unknown;
  /** The post that it is about, if that has tags: `announce` looks up their names for those who receive the event. */
  readonly tagged?: Tagged;
  /** Facts that are not in `data`, for endpoints with another form of events. */
  readonly context?: EventContext;
}

/**
 * Returns a new event with the bytes that are sent to every receiver.
 *
 * @param retention.deliveries the days for which the event and its deliveries are kept
 */
export function newEvent(
  draft: Omit<EventDraft, 'accountIds' | 'postAccountIds' | 'tagged' | 'context'>,
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

/** Returns the stored form of facts that only another form of the event shows. */
export const packContext = (context: EventContext): Buffer<ArrayBuffer> => gzipSync(JSON.stringify(context));

/** Returns those facts; none for an event that was stored while no endpoint had another form. */
export const contextOf = ({ context }: Pick<WebhookEvent, 'context'>): EventContext =>
  context ? EventContext.parse(JSON.parse(gunzipSync(context).toString('utf8'))) : {};

export function eventItem(event: WebhookEvent): Record<string, unknown> {
  return { ...webhookEventKey(event.workspaceId, event.id), kind: 'webhookEvent', ...event };
}

/** Returns the part of a transaction that stores an event unless it exists. */
export function eventPut(table: Table, event: WebhookEvent): TransactionItems[number] {
  return putPart(table, eventItem(event), { pk: absent });
}

/** The number of concurrent writes. */
const concurrentPuts = 25;

/**
 * Stores events that do not exist yet. Each has a condition: while the feed is turned on, a concurrent run may record the same event
 * with a place, which must stay.
 *
 * @param events events with different ids
 * @returns the ids of the new ones; the others keep their stored bytes
 */
export async function insertEvents(table: Table, events: readonly WebhookEvent[]): Promise<Set<string>> {
  const fresh = await mapInBatches(events, concurrentPuts, async (event) =>
    (await putIfAbsent(table, eventItem(event))) === undefined ? [event.id] : [],
  );
  return new Set(fresh.flat());
}
