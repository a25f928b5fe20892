import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { logger, withLogKeys } from '../wire/logger.ts';
import { handlerFactory, type Wired, type Wires } from '../wire/start.ts';
import { logIdsIn } from './message-ids.ts';

/**
 * Creates the handler of a queue. It works the records of a batch concurrently and independently: if one fails, only that
 * one is reported as failed, and SQS delivers it again.
 *
 * @param work works one record; throws if SQS must deliver the message again
 */
export function queueHandler<Uses extends Wires>(
  uses: Uses,
  work: (dependencies: Wired<Uses>, record: SQSRecord, context: Context) => Promise<void>,
) {
  return batchHandler(uses, (dependencies, records, context) =>
    Promise.allSettled(
      records.map((record) =>
        withLogKeys({ messageId: record.messageId }, async () => {
          try {
            await work(dependencies, record, context);
          } catch (error) {
            logger.error('a message failed', { ...logIdsIn(record.body), error: error as Error });
            throw error;
          }
        }),
      ),
    ),
  );
}

/** Works all records and returns the outcomes in their order. */
type BatchWork<Uses extends Wires> = (
  dependencies: Wired<Uses>,
  records: readonly SQSRecord[],
  context: Context,
) => Promise<readonly PromiseSettledResult<unknown>[]>;

/** Creates the handler of a queue, like {@link queueHandler}, for work that shares something between the records of a batch. */
export function queueBatchHandler<Uses extends Wires>(uses: Uses, work: BatchWork<Uses>) {
  return batchHandler(uses, async (dependencies, records, context) => {
    const outcomes = await work(dependencies, records, context);
    for (const [index, outcome] of outcomes.entries()) {
      const record = records[index];
      if (outcome.status !== 'rejected' || record === undefined) continue;
      const keys = { messageId: record.messageId, ...logIdsIn(record.body) };
      logger.error('a message failed', { error: outcome.reason as Error, ...keys });
    }
    return outcomes;
  });
}

function batchHandler<Uses extends Wires>(uses: Uses, work: BatchWork<Uses>) {
  return handlerFactory(uses, (dependencies) =>
    middy<SQSEvent, SQSBatchResponse, Error, Context>().handler(async ({ Records }, context) => {
      const outcomes = await work(dependencies, Records, context);
      const failed = Records.filter((_, index) => outcomes[index]?.status === 'rejected');
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    }),
  );
}
