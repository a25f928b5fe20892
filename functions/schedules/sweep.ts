import middy from '@middy/core';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { openPublishQueue } from '../../lib/aws/publish-queue.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import { sweepOverdue } from '../../lib/sweeping/sweep.ts';
import { openTable } from '../../lib/table/table.ts';
import { environment } from '../environment.ts';
import { logger } from '../logger.ts';

const { TABLE_NAME, PUBLISH_QUEUE_URL } = environment('TABLE_NAME', 'PUBLISH_QUEUE_URL');
const table = openTable(TABLE_NAME);
const enqueue = openPublishQueue(PUBLISH_QUEUE_URL);

/** Every minute: sets off again what is overdue. */
export const handler = middy<ScheduledEvent, void, Error, Context>().handler(async () => {
  const found = await sweepOverdue({ table, enqueue, now: systemClock() });
  if (found.targets + found.grants > 0) logger.warn('found overdue', { ...found });
});
