import { gunzipSync, gzipSync } from 'node:zlib';
import { toTimestamp } from '../../kernel/clock.ts';
import { absent } from '../../table/condition.ts';
import { putIfAbsent } from '../../table/items.ts';
import { webhookEventKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { putPart, type TransactionItems } from '../../table/transaction.ts';
import { type WebhookEvent, type WebhookEventType, webhookLimits } from '../schemas.ts';

/**
 * An event with the bytes that every receiver is sent.
 *
 * @param cause.id derived from what caused it, so that a cause that is met twice makes one event
 * @param cause.atMs when it happened, in epoch milliseconds
 * @param cause.data what the envelope carries; JSON
 */
export function newEvent(cause: {
  readonly id: string;
  readonly workspaceId: string;
  readonly type: WebhookEventType;
  readonly atMs: number;
  readonly data: unknown;
}): WebhookEvent {
  const { id, workspaceId, type, atMs, data } = cause;
  const createdAt = toTimestamp(atMs);
  return {
    id,
    workspaceId,
    type,
    createdAt,
    body: gzipSync(JSON.stringify({ id, type, createdAt, data })),
    expiresAtSeconds: Math.floor(atMs / 1_000) + webhookLimits.keptDays * 86_400,
  };
}

/** The raw body, byte for byte the same whenever it is asked for. */
export function eventBody(event: Pick<WebhookEvent, 'body'>): Buffer {
  return gunzipSync(event.body);
}

function eventItem(event: WebhookEvent): Record<string, unknown> {
  return { ...webhookEventKey(event.workspaceId, event.id), kind: 'webhookEvent', ...event };
}

/** Part of a transaction: an event that is there stays as it is. */
export function eventPut(table: Table, event: WebhookEvent): TransactionItems[number] {
  return putPart(table, eventItem(event), { pk: absent });
}

/**
 * Stores an event, once.
 *
 * @returns whether it was new; if it was not, the stored one with its bytes is the event
 */
export async function insertEvent(table: Table, event: WebhookEvent): Promise<boolean> {
  return (await putIfAbsent(table, eventItem(event))) === undefined;
}
