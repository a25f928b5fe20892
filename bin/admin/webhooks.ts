import { findFailingEndpoints } from '../../lib/operating/failing-endpoints.ts';
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
  'webhook list': operatorCommand({
    verb: 'webhook.read',
    options: {
      failing: { isRequired: true, summary: 'the endpoints whose attempts fail and are repeated' },
      limit: {
        value: 'number',
        read: countTo(1_000),
        default: '100',
        summary: 'maximum number of endpoints',
      },
    },
    summary: 'list the webhook endpoints of all workspaces that fail, the longest failing first',
    detail:
      'It finds them by the deliveries that wait for their next attempt. An endpoint for which none waits is not listed, nor is one that is switched off. Of its URL only the host is shown: the rest may be a secret.',
    run: async ({ table, now, out }, _, { limit }) => {
      const { endpoints, isCut } = await findFailingEndpoints(table, now);
      out.list(endpoints.slice(0, limit).map((endpoint) => ({ ...endpoint })));
      if (endpoints.length > limit) out.note(`There are ${endpoints.length}: raise --limit.`);
      if (isCut) out.note('More deliveries wait than were read: endpoints may be missing.');
    },
  }),
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
