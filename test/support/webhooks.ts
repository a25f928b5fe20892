import { toTimestamp } from '../../lib/kernel/clock.ts';
import { newId } from '../../lib/kernel/ids.ts';
import { getItem, putIfAbsent } from '../../lib/table/items.ts';
import { webhookEventKey } from '../../lib/table/keys.ts';
import type { Table } from '../../lib/table/table.ts';
import { deliveryItem, newDelivery } from '../../lib/webhooks/deliveries/store.ts';
import { insertWebhook } from '../../lib/webhooks/endpoints/store.ts';
import { insertEvents, newEvent } from '../../lib/webhooks/events/store.ts';
import { recordEvents } from '../../lib/webhooks/feed/record.ts';
import { type Delivery, type Webhook, WebhookEvent } from '../../lib/webhooks/schemas.ts';
import { startMs } from './builders.ts';

export function aWebhook(workspaceId: string, changes: Partial<Webhook> = {}): Webhook {
  const { id = newId(startMs) } = changes;
  return {
    id,
    workspaceId,
    url: `https://hooks.example.com/${id}`,
    events: ['post.published', 'post.failed'],
    isActive: true,
    description: null,
    statusMessage: null,
    secret: 'sealed',
    createdAt: toTimestamp(startMs),
    version: 1,
    ...changes,
  };
}

export async function storeWebhook(
  table: Table,
  workspaceId: string,
  changes?: Partial<Webhook>,
): Promise<Webhook> {
  const webhook = aWebhook(workspaceId, changes);
  const outcome = await insertWebhook(table, webhook);
  if (outcome !== 'stored') throw new Error(`the endpoint was not stored: ${outcome}`);
  return webhook;
}

/**
 * Stores an event and its delivery to an endpoint.
 *
 * @param options.atMs when the event happened, by default now
 */
export async function storeDelivery(
  table: Table,
  { workspaceId, id: webhookId }: Pick<Webhook, 'workspaceId' | 'id'>,
  { atMs = Date.now(), ...changes }: Partial<Delivery> & { atMs?: number } = {},
): Promise<Delivery> {
  const type = changes.type ?? 'post.published';
  const event = newEvent({ id: newId(atMs), workspaceId, type, atMs, data: {} });
  const delivery = { ...newDelivery(event, webhookId, atMs), ...changes };
  const stored = delivery.status === 'pending' ? delivery : { ...delivery, nextAttemptAt: null };
  await insertEvents(table, [event]);
  await insertDelivery(table, stored);
  return stored;
}

/** Records an event in the workspace's feed. @returns its id */
export async function storeRecordedEvent(
  table: Table,
  workspaceId: string,
  accountIds: readonly string[] = [],
  atMs = Date.now(),
): Promise<string> {
  const event = newEvent({ id: newId(atMs), workspaceId, type: 'post.published', atMs, data: {} });
  await recordEvents(table, workspaceId, [{ ...event, accountIds: [...accountIds] }], () => atMs);
  return event.id;
}

/** @returns false if the delivery already exists, which leaves it unchanged */
export async function insertDelivery(table: Table, delivery: Delivery): Promise<boolean> {
  return (await putIfAbsent(table, deliveryItem(delivery))) === undefined;
}

export async function findEvent(
  table: Table,
  workspaceId: string,
  eventId: string,
): Promise<WebhookEvent | undefined> {
  const item = await getItem(table, webhookEventKey(workspaceId, eventId));
  return item && WebhookEvent.parse(item);
}
