import { gunzipSync, gzipSync } from 'node:zlib';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { toTimestamp } from '../../kernel/clock.ts';
import { webhookEventKey } from '../../table/keys.ts';
import { putOnce } from '../../table/put-once.ts';
import type { Table } from '../../table/table.ts';
import type { TransactionItems } from '../../table/transaction.ts';
import { WebhookEvent, type WebhookEventType, webhookLimits } from '../schemas.ts';

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

export function eventItem(event: WebhookEvent): Record<string, unknown> {
  return { ...webhookEventKey(event.workspaceId, event.id), kind: 'webhookEvent', ...event };
}

/** Part of a transaction: an event that is there stays as it is. */
export function eventPut(table: Table, event: WebhookEvent): TransactionItems[number] {
  return {
    Put: {
      TableName: table.name,
      Item: eventItem(event),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/**
 * Stores an event, once.
 *
 * @returns whether it was new; where it was not, the stored one with its bytes is the event
 */
export async function insertEvent(table: Table, event: WebhookEvent): Promise<boolean> {
  return (await putOnce(table, eventItem(event))) === undefined;
}

/**
 * The event, strongly consistent.
 *
 * @param now epoch milliseconds
 * @returns `undefined` for an id that is unknown or foreign, and for an event that has expired
 */
export async function findEvent(
  table: Table,
  workspaceId: string,
  eventId: string,
  now: number,
): Promise<WebhookEvent | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({
      TableName: table.name,
      Key: webhookEventKey(workspaceId, eventId),
      ConsistentRead: true,
    }),
  );
  const event = Item && WebhookEvent.parse(Item);
  return event && event.expiresAtSeconds * 1_000 > now ? event : undefined;
}
