import middy from '@middy/core';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { openTenantQueue } from '../../lib/aws/queue.ts';
import { secondMs, systemClock } from '../../lib/kernel/clock.ts';
import { openTable } from '../../lib/table/table.ts';
import { type SweepDeliveriesPorts, sweepDeliveries } from '../../lib/webhooks/deliveries/resend-due.ts';
import type { WebhookMessage } from '../../lib/webhooks/schemas.ts';
import { environment } from '../environment.ts';
import { logger } from '../logger.ts';

const env = environment('TABLE_NAME', 'WEBHOOK_QUEUE_URL');
const ports: SweepDeliveriesPorts = {
  table: openTable(env.TABLE_NAME),
  now: systemClock,
  sendAll: openTenantQueue<WebhookMessage>(env.WEBHOOK_QUEUE_URL).sendAll,
  report: (key, error) => logger.error('a delivery cannot be read', { ...key, error: error as Error }),
};

/** For the last page to be worked to its end. */
const reserveMs = 15 * secondMs;

/** Every minute: sends what is due and has no message, or whose message is lost. */
export const handler = middy<ScheduledEvent, void, Error, Context>().handler(async (_event, context) => {
  const deadlineMs = systemClock() + context.getRemainingTimeInMillis() - reserveMs;
  const sent = await sweepDeliveries(ports, deadlineMs);
  if (sent > 0) logger.info('sent deliveries that were due', { sent });
});
