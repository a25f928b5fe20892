import { systemClock } from '../../lib/kernel/clock.ts';
import {
  type DeliverPorts,
  deliver,
  type Lane,
  measurementsOf,
} from '../../lib/webhooks/deliveries/deliver.ts';
import { openWebhookSecret } from '../../lib/webhooks/endpoints/secrets.ts';
import { WebhookMessage } from '../../lib/webhooks/schemas.ts';
import { zernioForm } from '../../lib/zernio/events.ts';
import { slowWebhookQueue, table, vault, webhookQueue } from '../wire/aws.ts';
import { logger } from '../wire/logger.ts';
import { record } from '../wire/metrics.ts';
import type { Wired } from '../wire/start.ts';
import { webhookSender } from '../wire/webhooks.ts';
import { queueBatchHandler } from './queue.ts';

const wires = { table, vault, webhookSender, webhookQueue, slowWebhookQueue, record };

/** Creates the handler of a lane's queue: makes the attempts that are due, one per message. */
export function webhookBatchHandler(lane: Lane) {
  return queueBatchHandler(wires, WebhookMessage, async (dependencies, received) => {
    const attempts = received.map(({ message, record }) => ({
      message,
      isAgain: Number(record.attributes.ApproximateReceiveCount) > 1,
    }));
    const outcomes = await deliver(portsOf(dependencies, lane), attempts);
    dependencies.record(
      outcomes.flatMap((each) => (each.status === 'fulfilled' ? measurementsOf(each.value) : [])),
    );
    for (const [index, outcome] of outcomes.entries()) {
      // Successful deliveries are already in the delivery's own log.
      if (outcome.status === 'fulfilled' && outcome.value !== 'delivered')
        logger.info('a webhook was not delivered', { ...received[index]?.message, outcome: outcome.value });
    }
    return outcomes;
  });
}

function portsOf(
  { table, vault, webhookSender, webhookQueue, slowWebhookQueue }: Wired<typeof wires>,
  lane: Lane,
): DeliverPorts {
  const queues = { main: webhookQueue, slow: slowWebhookQueue };
  return {
    table,
    now: systemClock,
    chance: Math.random,
    openSecret: (endpoint, sealed) => openWebhookSecret(vault, endpoint, sealed),
    send: (request) => webhookSender.send(request),
    forms: { zernio: zernioForm },
    lane,
    enqueue: (to, message, delaySeconds) => queues[to].send(message, delaySeconds),
  };
}
