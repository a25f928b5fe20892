import { gunzipSync, gzipSync } from 'node:zlib';
import { toTimestamp } from '../../kernel/clock.ts';
import { absent } from '../../table/condition.ts';
import { putIfAbsent } from '../../table/items.ts';
import { webhookEventKey } from '../../table/keys.ts';
import { defaultRetention, type Retention } from '../../table/retention.ts';
import type { Table } from '../../table/table.ts';
import { putPart, type TransactionItems } from '../../table/transaction.ts';
import type { WebhookEvent, WebhookEventType } from '../schemas.ts';

/**
 * A new event with the bytes that are sent to every receiver.
 *
 * @param draft.id derived from the change, so that processing a change twice gives one event
 * @param draft.atMs when it happened, in epoch milliseconds
 * @param draft.data the envelope's `data`, as JSON
 * @param retention.deliveries how long the event and its deliveries are kept, in days
 */
export function newEvent(
  draft: {
    readonly id: string;
    readonly workspaceId: string;
    readonly type: WebhookEventType;
    readonly atMs: number;
    readonly data: unknown;
  },
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

/** The raw body. It is always the same, byte for byte. */
export function eventBody(event: Pick<WebhookEvent, 'body'>): Buffer {
  return gunzipSync(event.body);
}

function eventItem(event: WebhookEvent): Record<string, unknown> {
  return { ...webhookEventKey(event.workspaceId, event.id), kind: 'webhookEvent', ...event };
}

/** Part of a transaction: stores an event unless it exists. */
export function eventPut(table: Table, event: WebhookEvent): TransactionItems[number] {
  return putPart(table, eventItem(event), { pk: absent });
}

/**
 * Stores an event once.
 *
 * @returns whether it was new; if not, the stored event with its bytes stays
 */
export async function insertEvent(table: Table, event: WebhookEvent): Promise<boolean> {
  return (await putIfAbsent(table, eventItem(event))) === undefined;
}
