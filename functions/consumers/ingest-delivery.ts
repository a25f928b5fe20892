import { InboundQueueMessage, unpackBody } from '../../lib/automations/inbound/delivery-body.ts';
import { ingestDelivery } from '../../lib/automations/inbound/ingest-delivery.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { isOwnEvent } from '../../lib/platforms/instagram/inbound.ts';
import { messagingLimits } from '../../lib/platforms/instagram/limits.ts';
import { readDelivery } from '../../lib/platforms/instagram/webhook.ts';
import { queueHandler } from '../middleware/queue.ts';
import { automationQueue, table } from '../wire/aws.ts';
import { logger } from '../wire/logger.ts';
import { record } from '../wire/metrics.ts';

const instagram = {
  platform: 'instagram',
  limits: messagingLimits,
  readDelivery,
  isOwn: isOwnEvent,
} as const;

const Inbound = InboundQueueMessage.transform(({ body }) => unpackBody(body));

/** Ingests one delivery of a platform's webhook and enqueues the actions of the automations that match. */
export const build = queueHandler(
  { table, automationQueue, record },
  Inbound,
  async ({ table, automationQueue: { sendAll }, record }, delivery) => {
    const ports = { table, now: systemClock, sendAll, ...instagram };
    const counts = await ingestDelivery(ports, delivery);
    if (counts.unreadable > 0)
      record([{ name: 'InboundRefused', value: counts.unreadable, platform: ports.platform }]);
    const isOdd = counts.unreadable > 0 || counts.unknownAccount > 0;
    logger[isOdd ? 'warn' : 'info']('a delivery was ingested', { ...counts });
  },
);
