import { InboundQueueMessage, unpackBody } from '../../lib/automations/inbound/delivery-body.ts';
import { type IngestPorts, ingestDelivery } from '../../lib/automations/inbound/ingest-delivery.ts';
import type { AutomationMessage } from '../../lib/automations/schemas.ts';
import { openTenantQueue } from '../../lib/aws/queue.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { isOwnEvent } from '../../lib/platforms/instagram/inbound.ts';
import { readDelivery } from '../../lib/platforms/instagram/webhook.ts';
import { openTable } from '../../lib/table/table.ts';
import { environment } from '../environment.ts';
import { logger } from '../logger.ts';
import { record } from '../metrics.ts';
import { queueHandler } from '../middleware/queue.ts';

const env = environment('TABLE_NAME', 'AUTOMATION_QUEUE_URL');
const ports: IngestPorts = {
  table: openTable(env.TABLE_NAME),
  now: systemClock,
  platform: 'instagram',
  readDelivery,
  isOwn: isOwnEvent,
  sendAll: openTenantQueue<AutomationMessage>(env.AUTOMATION_QUEUE_URL).sendAll,
};

/** Takes what a platform has told, and sets off what the automations make of it. */
export const handler = queueHandler(async ({ body }) => {
  const message = InboundQueueMessage.parse(JSON.parse(body));
  const counts = await ingestDelivery(ports, unpackBody(message.body));
  if (counts.unreadable > 0)
    record([{ name: 'InboundRefused', value: counts.unreadable, platform: ports.platform }]);
  const isOdd = counts.unreadable > 0 || counts.unknownAccount > 0;
  logger[isOdd ? 'warn' : 'info']('a delivery was taken', { ...counts });
});
