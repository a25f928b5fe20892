import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { type LogKeys, logger, withLogKeys } from '../logger.ts';

/**
 * Makes the handler of a queue. Its records are worked side by side, each on its own: one that fails is reported as
 * failed and comes again, and no other with it.
 *
 * @param work one record; it throws where the message has to come again
 */
export function queueHandler(work: (record: SQSRecord, context: Context) => Promise<void>) {
  return batchHandler((records, context) =>
    Promise.allSettled(
      records.map((record) =>
        withLogKeys({ messageId: record.messageId }, async () => {
          try {
            await work(record, context);
          } catch (error) {
            logger.error('a message failed', error as Error);
            throw error;
          }
        }),
      ),
    ),
  );
}

/** Works all records; its outcomes stand in their order. */
type BatchWork = (
  records: readonly SQSRecord[],
  context: Context,
) => Promise<readonly PromiseSettledResult<unknown>[]>;

/**
 * The same for work that shares something between the records of a batch.
 *
 * @param idsOf what the lines about a record carry
 */
export function queueBatchHandler(work: BatchWork, idsOf: (record: SQSRecord) => LogKeys) {
  return batchHandler(async (records, context) => {
    const outcomes = await work(records, context);
    for (const [index, outcome] of outcomes.entries()) {
      const record = records[index];
      if (outcome.status !== 'rejected' || record === undefined) continue;
      const keys = { messageId: record.messageId, ...idsOf(record) };
      logger.error('a message failed', { error: outcome.reason as Error, ...keys });
    }
    return outcomes;
  });
}

function batchHandler(work: BatchWork) {
  return middy<SQSEvent, SQSBatchResponse, Error, Context>().handler(async ({ Records }, context) => {
    logger.resetKeys();
    const outcomes = await work(Records, context);
    const failed = Records.filter((_, index) => outcomes[index]?.status === 'rejected');
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  });
}
