import middy from '@middy/core';
import type { Context, ScheduledEvent } from 'aws-lambda';
import { openTenantQueue } from '../../lib/aws/queue.ts';
import { systemClock } from '../../lib/kernel/clock.ts';
import type { ChainMessage } from '../../lib/posts/chain/schemas.ts';
import type { PublishMessage } from '../../lib/publishing/message.ts';
import { sweepOverdue } from '../../lib/recovery/sweep.ts';
import { openTable } from '../../lib/table/table.ts';
import { environment } from '../environment.ts';
import { logger } from '../logger.ts';

const env = environment('TABLE_NAME', 'PUBLISH_QUEUE_URL', 'CHAIN_QUEUE_URL');
const ports = {
  table: openTable(env.TABLE_NAME),
  enqueue: openTenantQueue<PublishMessage>(env.PUBLISH_QUEUE_URL).send,
  enqueueChain: openTenantQueue<ChainMessage>(env.CHAIN_QUEUE_URL).send,
  report: (message: string, error: unknown) => logger.error(message, error as Error),
};

/** Every minute: sets off again what is overdue. It fails once all is done that can be, so that operators hear of the rest. */
export const handler = middy<ScheduledEvent, void, Error, Context>().handler(async () => {
  const found = await sweepOverdue({ ...ports, now: systemClock() });
  if (Object.values(found).some((count) => count > 0)) logger.warn('found overdue', { ...found });
  if (found.failures > 0) throw new Error(`${found.failures} things were not swept`);
});
