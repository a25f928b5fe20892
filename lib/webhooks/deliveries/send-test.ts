import type { Context } from '../../api-contract/context.ts';
import { notFound } from '../../kernel/errors.ts';
import { isId, newId } from '../../kernel/ids.ts';
import { webhookKey } from '../../table/keys.ts';
import { transact } from '../../table/transaction.ts';
import { eventPut, newEvent } from '../events/store.ts';
import { type DeliveryView, toDeliveryView } from '../views.ts';
import { disabled, type SetOff, setOff } from './enqueue.ts';
import { deliveryPut, messageOf, newDelivery } from './store.ts';

/**
 * Sends an endpoint the event `webhook.test`, whatever events it asks for.
 *
 * @throws HeraldError `not_found`, for a foreign endpoint too; `conflict` where it is disabled
 */
export async function sendTestEvent(context: Context & SetOff, webhookId: string): Promise<DeliveryView> {
  const { table, workspaceId, now } = context;
  if (!isId(webhookId)) throw notFound('webhook');
  const event = newEvent({
    id: newId(now),
    workspaceId,
    type: 'webhook.test',
    atMs: now,
    data: { webhookId },
  });
  const delivery = newDelivery(event, webhookId, now);
  const outcome = await transact(table, [
    {
      ConditionCheck: {
        TableName: table.name,
        Key: webhookKey(workspaceId, webhookId),
        ConditionExpression: 'isActive = :on',
        ExpressionAttributeValues: { ':on': true },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    eventPut(table, event),
    deliveryPut(table, delivery),
  ]);
  if (!outcome.committed) throw outcome.oldItem ? disabled() : notFound('webhook');
  await setOff(context, [messageOf(delivery)]);
  return toDeliveryView(delivery);
}
