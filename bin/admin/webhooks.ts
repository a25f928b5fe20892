import { findOwner } from '../../lib/operating/find-owner.ts';
import { listDeliveries } from '../../lib/webhooks/deliveries/lists.ts';
import { disableWebhook } from '../../lib/webhooks/endpoints/disable.ts';
import { DeliveryStatus } from '../../lib/webhooks/schemas.ts';
import type { DeliveryView } from '../../lib/webhooks/views.ts';
import { getWorkspace } from '../../lib/workspaces/store.ts';
import { type AdminContext, type Commands, operatorCommand } from './command.ts';
import { countTo, oneOf } from './values.ts';

const readStatus = oneOf(DeliveryStatus.options);

export const webhookCommands: Commands = {
  'webhook deliveries': operatorCommand({
    verb: 'webhook.read',
    words: { webhookId: {} },
    options: {
      status: {
        value: 'status',
        read: readStatus,
        summary: `only deliveries with this status: ${DeliveryStatus.options.join(', ')}`,
      },
      limit: {
        value: 'number',
        read: countTo(100),
        default: '20',
        summary: 'maximum number of deliveries',
      },
    },
    summary: 'list the latest deliveries to a webhook endpoint with the result of each last attempt',
    detail: 'The log names the endpoint (`a webhook was not delivered`). The receiver’s answer is not shown.',
    run: async (operator, { webhookId }, { status, limit }) => {
      const { deliveries } = await listDeliveries(await contextOf(operator, webhookId), webhookId, {
        status,
        limit,
      });
      operator.out.list(deliveries.map(describe));
    },
  }),
  'webhook disable': operatorCommand({
    verb: 'webhook.edit',
    words: { webhookId: {} },
    summary: 'switch a webhook endpoint off: it receives nothing until its owner switches it on again',
    detail: 'The audit log of the workspace names you.',
    run: async (operator, { webhookId }) => {
      const { isRepeated } = await disableWebhook(await contextOf(operator, webhookId), webhookId);
      operator.out.result({ id: webhookId, isActive: false, isRepeated }, [
        isRepeated ? 'It was switched off before.' : 'Switched off.',
      ]);
      operator.out.note('Events that happen from now on are never delivered to it.');
    },
  }),
};

/**
 * Returns the context of an endpoint's workspace.
 *
 * @throws HeraldError `not_found`
 */
async function contextOf(operator: AdminContext, webhookId: string) {
  const { id, cursorSecret } = await getWorkspace(
    operator.table,
    await findOwner(operator.table, 'webhook', webhookId),
  );
  return { ...operator, workspaceId: id, cursorSecret };
}

function describe({ id, type, status, createdAt, attempts, nextAttemptAt }: DeliveryView) {
  const last = attempts.at(-1);
  return {
    id,
    createdAt,
    type,
    status,
    attempts: attempts.length,
    lastAttemptAt: last?.at ?? null,
    statusCode: last?.statusCode ?? null,
    error: last?.error ?? null,
    nextAttemptAt,
  };
}
