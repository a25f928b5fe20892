import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { logger } from '../logger.ts';

/**
 * Makes the handler of a queue. Its records are worked side by side, each on its own: one that fails is reported as
 * failed and comes again, and no other with it.
 *
 * @param work one record; it throws where the message has to come again
 */
export function queueHandler(work: (record: SQSRecord, context: Context) => Promise<void>) {
  return queueBatchHandler((records, context) =>
    Promise.allSettled(records.map((record) => work(record, context))),
  );
}

/**
 * The same for work that shares something between the records of a batch.
 *
 * @param work all records; its outcomes stand in their order
 */
export function queueBatchHandler(
  work: (
    records: readonly SQSRecord[],
    context: Context,
  ) => Promise<readonly PromiseSettledResult<unknown>[]>,
) {
  return middy<SQSEvent, SQSBatchResponse, Error, Context>().handler(async ({ Records }, context) => {
    logger.resetKeys();
    const outcomes = await work(Records, context);
    const failed = Records.filter((record, index) => {
      const outcome = outcomes[index];
      if (outcome?.status !== 'rejected') return false;
      logger.error('a message failed', { error: outcome.reason as Error, messageId: record.messageId });
      return true;
    });
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  });
}
