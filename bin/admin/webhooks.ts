import { invalidField } from '../../lib/kernel/errors.ts';
import { findOwner } from '../../lib/operating/find-owner.ts';
import { listDeliveries } from '../../lib/webhooks/deliveries/lists.ts';
import { disableWebhook } from '../../lib/webhooks/endpoints/disable.ts';
import { DeliveryStatus } from '../../lib/webhooks/schemas.ts';
import type { DeliveryView } from '../../lib/webhooks/views.ts';
import { getWorkspace } from '../../lib/workspaces/store.ts';
import type { AdminContext, Commands } from './command.ts';
import { readCount } from './numbers.ts';

const statuses = DeliveryStatus.options.join(', ');

export const webhookCommands: Commands = {
  'webhook deliveries': {
    verb: 'webhook.read',
    words: ['webhook id'],
    options: {
      status: { value: 'status', summary: `only deliveries with this status: ${statuses}` },
      limit: { value: 'number', summary: 'maximum number of deliveries; default: 20' },
    },
    summary: 'list the latest deliveries to a webhook endpoint with the result of each last attempt',
    detail: 'The log names the endpoint (`a webhook was not delivered`). The receiver’s answer is not shown.',
    run: async (operator, webhookId = '') => {
      const { options, out } = operator;
      const status = readStatus(options['status']);
      const limit = readCount('limit', options['limit'] ?? '20', 100);
      const { deliveries } = await listDeliveries(await contextOf(operator, webhookId), webhookId, {
        status,
        limit,
      });
      out.list(deliveries.map(describe));
    },
  },
  'webhook disable': {
    verb: 'webhook.edit',
    words: ['webhook id'],
    summary: 'switch a webhook endpoint off: it receives nothing until its owner switches it on again',
    detail: 'The audit log of the workspace names you.',
    run: async (operator, webhookId = '') => {
      const { isRepeated } = await disableWebhook(await contextOf(operator, webhookId), webhookId);
      operator.out.result({ id: webhookId, isActive: false, isRepeated }, [
        isRepeated ? 'It was switched off before.' : 'Switched off.',
      ]);
      operator.out.note('Events that happen from now on are never delivered to it.');
    },
  },
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

/** @throws HeraldError `invalid` */
function readStatus(text: string | undefined): DeliveryStatus | undefined {
  if (text === undefined) return undefined;
  const known = DeliveryStatus.safeParse(text);
  if (!known.success) throw invalidField('status', `must be one of ${statuses}`);
  return known.data;
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
