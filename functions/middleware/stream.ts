import middy from '@middy/core';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { Measurement } from '../../lib/metrics/measurements.ts';
import { type ItemChange, itemChange } from '../../lib/table/stream.ts';
import { streamDeadLetters } from '../wire/aws.ts';
import { logger } from '../wire/logger.ts';
import { record as recordMetrics } from '../wire/metrics.ts';
import { handlerFactory, type Wired, type Wires } from '../wire/start.ts';

const streamWires = { streamDeadLetters, recordMetrics };

interface StreamWork<Uses extends Wires, Change> {
  /**
   * Returns what the function has to do for a change; `undefined` if nothing.
   *
   * @throws if the change cannot be read
   */
  readonly read: (dependencies: Wired<Uses>, change: ItemChange) => Change | undefined;
  /** Works all changes and returns their outcomes in order, with what they measured. */
  readonly work: (
    dependencies: Wired<Uses>,
    changes: readonly Change[],
  ) => Promise<readonly PromiseSettledResult<readonly Measurement[]>[]>;
}

/**
 * Creates the handler of a function that reads the table's stream. The stream delivers every change at least once, and
 * repeats from the first record that failed. A record that cannot be read would block all records after it, so it is sent
 * to the dead-letter queue immediately.
 */
export function streamHandler<Uses extends Wires, Change>(
  uses: Uses,
  { read, work }: StreamWork<Uses & typeof streamWires, Change>,
) {
  return handlerFactory({ ...uses, ...streamWires }, (dependencies) => {
    const { streamDeadLetters, recordMetrics } = dependencies;

    const readOrDeadLetter = async (record: DynamoDBRecord): Promise<Change | undefined> => {
      try {
        return read(dependencies, itemChange(record.dynamodb));
      } catch (error) {
        logger.error('a change cannot be read', { error: error as Error, eventId: record.eventID });
        await streamDeadLetters.send(record);
        return undefined;
      }
    };

    return middy<DynamoDBStreamEvent, DynamoDBBatchResponse, Error, Context>().handler(
      async ({ Records }) => {
        const records = await Promise.allSettled(Records.map(readOrDeadLetter));
        const changes = records.flatMap((each) => (each.status === 'fulfilled' ? (each.value ?? []) : []));
        const worked = [...(await work(dependencies, changes as Change[]))];
        const outcomes = records.map((each) => {
          if (each.status === 'rejected') return each;
          return each.value === undefined ? nothing : worked.shift();
        });
        const failed = outcomes.findIndex((outcome) => outcome?.status === 'rejected');
        // The stream repeats the records from there on, and they are measured then.
        const done = failed < 0 ? outcomes : outcomes.slice(0, failed);
        recordMetrics(done.flatMap((outcome) => (outcome?.status === 'fulfilled' ? outcome.value : [])));
        if (failed < 0) return { batchItemFailures: [] };
        return { batchItemFailures: [{ itemIdentifier: Records[failed]?.dynamodb?.SequenceNumber ?? '' }] };
      },
    );
  });
}

const nothing = { status: 'fulfilled', value: [] } as const;
