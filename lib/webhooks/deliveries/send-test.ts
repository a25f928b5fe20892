import type { Context } from '../../api-contract/context.ts';
import { auditPart } from '../../audit/record.ts';
import { notFound } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { webhookKey } from '../../table/keys.ts';
import { retentionOf } from '../../table/table.ts';
import { checkPart, transact } from '../../table/transaction.ts';
import { getWebhook } from '../endpoints/read.ts';
import { eventPut, newEvent } from '../events/store.ts';
import { endpointSubject } from '../schemas.ts';
import { type DeliveryView, toDeliveryView } from '../views.ts';
import { disabled, type EnqueuePorts, enqueueDeliveries } from './enqueue.ts';
import { deliveryPut, messageOf, newDelivery } from './store.ts';

/**
 * Sends the event `webhook.test` to an endpoint, whatever its subscriptions.
 *
 * @throws HeraldError `not_found`, also for another workspace's endpoint; `conflict` if it is disabled
 */
export async function sendTestEvent(
  context: Context & EnqueuePorts,
  webhookId: string,
): Promise<DeliveryView> {
  const { table, workspaceId, now } = context;
  const webhook = await getWebhook(context, webhookId);
  const draft = {
    id: newId(now),
    workspaceId,
    type: 'webhook.test',
    atMs: now,
    data: { webhookId },
  } as const;
  const event = newEvent(draft, retentionOf(table));
  const delivery = newDelivery(event, webhookId, now);
  const outcome = await transact(table, [
    checkPart(table, webhookKey(workspaceId, webhookId), { isActive: true }, { returnOld: true }),
    eventPut(table, event),
    deliveryPut(table, delivery),
    auditPart(context, endpointSubject(webhook)),
  ]);
  if (!outcome.committed) throw outcome.oldItem ? disabled() : notFound('webhook');
  await enqueueDeliveries(context, [messageOf(delivery)]);
  return toDeliveryView(delivery);
}
