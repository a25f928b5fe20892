import { openTenantQueue } from '../../lib/aws/queue.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { openTable } from '../../lib/table/table.ts';
import { type DeliverPorts, deliver } from '../../lib/webhooks/deliveries/deliver.ts';
import { measurementsOf } from '../../lib/webhooks/deliveries/measurements.ts';
import { openWebhookSecret } from '../../lib/webhooks/endpoints/secrets.ts';
import { WebhookMessage } from '../../lib/webhooks/schemas.ts';
import { createWebhookSender } from '../../lib/webhooks/transport/sender.ts';
import { parsePlainHttpHosts } from '../../lib/webhooks/transport/url.ts';
import { environment } from '../environment.ts';
import { type LogKeys, logger } from '../logger.ts';
import { record } from '../metrics.ts';
import { queueBatchHandler } from '../middleware/queue.ts';
import { tokenVault } from '../token-vault.ts';

const env = environment('TABLE_NAME', 'WEBHOOK_QUEUE_URL', 'WEBHOOK_PLAIN_HTTP_HOSTS');

const vault = tokenVault();
const sender = createWebhookSender({ plainHttpHosts: parsePlainHttpHosts(env.WEBHOOK_PLAIN_HTTP_HOSTS) });
const ports: DeliverPorts = {
  table: openTable(env.TABLE_NAME),
  now: systemClock,
  chance: Math.random,
  openSecret: (endpoint, sealed) => openWebhookSecret(vault, endpoint, sealed),
  send: (request) => sender.send(request),
  enqueue: openTenantQueue<WebhookMessage>(env.WEBHOOK_QUEUE_URL).send,
};

/** Makes the attempts that are due, one for each message. */
export const handler = queueBatchHandler(async (records) => {
  const received = await Promise.allSettled(
    records.map(async ({ body, attributes }) => ({
      message: WebhookMessage.parse(JSON.parse(body)),
      isAgain: Number(attributes.ApproximateReceiveCount) > 1,
    })),
  );
  const readable = received.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const outcomes = [...(await deliver(ports, readable))];
  record(outcomes.flatMap((each) => (each.status === 'fulfilled' ? measurementsOf(each.value) : [])));
  return received.map((each) => {
    const outcome = each.status === 'fulfilled' ? outcomes.shift() : each;
    // What went well stands in the delivery's own log.
    if (each.status === 'fulfilled' && outcome?.status === 'fulfilled' && outcome.value !== 'delivered')
      logger.info('a webhook was not delivered', { ...each.value.message, outcome: outcome.value });
    return outcome ?? each;
  });
}, idsOf);

/** Of a message that cannot be read: none. */
function idsOf({ body }: { readonly body: string }): LogKeys {
  try {
    return WebhookMessage.parse(JSON.parse(body));
  } catch {
    return {};
  }
}
