import middy from '@middy/core';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { type SweepActionsPorts, sweepActions } from '../../lib/automations/actions/resend-due.ts';
import type { AutomationMessage } from '../../lib/automations/schemas.ts';
import { openTenantQueue } from '../../lib/aws/queue.ts';
import { secondMs, systemClock } from '../../lib/kernel/clock.ts';
import { openTable } from '../../lib/table/table.ts';
import { environment } from '../environment.ts';
import { logger } from '../logger.ts';

const env = environment('TABLE_NAME', 'AUTOMATION_QUEUE_URL');
const ports: SweepActionsPorts = {
  table: openTable(env.TABLE_NAME),
  now: systemClock,
  sendAll: openTenantQueue<AutomationMessage>(env.AUTOMATION_QUEUE_URL).sendAll,
  report: (key, error) => logger.error('an action cannot be read', { ...key, error: error as Error }),
};

/** For the last page to be worked to its end. */
const reserveMs = 15 * secondMs;

/** Every minute: sends what is due and has no message, or whose message is lost. */
export const handler = middy<ScheduledEvent, void, Error, Context>().handler(async (_event, context) => {
  const deadlineMs = systemClock() + context.getRemainingTimeInMillis() - reserveMs;
  const sent = await sweepActions(ports, deadlineMs);
  if (sent > 0) logger.info('sent actions that were due', { sent });
});
