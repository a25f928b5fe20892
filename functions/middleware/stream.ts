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
   * What the function makes of a change; nothing if it is no concern of it.
   *
   * @throws if the change cannot be read
   */
  readonly read: (dependencies: Wired<Uses>, change: ItemChange) => Change | undefined;
  /** Works all changes. The outcomes, in their order, tell how well the service does. */
  readonly work: (
    dependencies: Wired<Uses>,
    changes: readonly Change[],
  ) => Promise<readonly PromiseSettledResult<readonly Measurement[]>[]>;
}

/**
 * Makes the handler of a function that reads the table's stream. The stream tells of every change at least once; what
 * fails now is told again, from the first record that failed. A record that cannot be read would hold up all that come
 * after it, so it goes to the dead letters at once.
 */
export function streamHandler<Uses extends Wires, Change>(
  uses: Uses,
  { read, work }: StreamWork<Uses & typeof streamWires, Change>,
) {
  return handlerFactory({ ...uses, ...streamWires }, (dependencies) => {
    const { streamDeadLetters, recordMetrics } = dependencies;

    const readOrSetAside = async (record: DynamoDBRecord): Promise<Change | undefined> => {
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
        const records = await Promise.allSettled(Records.map(readOrSetAside));
        const changes = records.flatMap((each) => (each.status === 'fulfilled' ? (each.value ?? []) : []));
        const worked = [...(await work(dependencies, changes as Change[]))];
        const outcomes = records.map((each) => {
          if (each.status === 'rejected') return each;
          return each.value === undefined ? nothing : worked.shift();
        });
        const failed = outcomes.findIndex((outcome) => outcome?.status === 'rejected');
        // What is told again from there on is measured then.
        const done = failed < 0 ? outcomes : outcomes.slice(0, failed);
        recordMetrics(done.flatMap((outcome) => (outcome?.status === 'fulfilled' ? outcome.value : [])));
        if (failed < 0) return { batchItemFailures: [] };
        return { batchItemFailures: [{ itemIdentifier: Records[failed]?.dynamodb?.SequenceNumber ?? '' }] };
      },
    );
  });
}

const nothing = { status: 'fulfilled', value: [] } as const;
