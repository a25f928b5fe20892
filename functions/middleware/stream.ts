import middy from '@middy/core';
import type { Context, DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { minuteMs, secondMs, systemClock } from '../../lib/kernel/clock.ts';
import type { Measurement } from '../../lib/metrics/measurements.ts';
import { type ItemChange, itemChange } from '../../lib/table/stream.ts';
import { streamDeadLetters } from '../wire/aws.ts';
import { logger } from '../wire/logger.ts';
import { record as recordMetrics } from '../wire/metrics.ts';
import { handlerFactory, type Wired, type Wires } from '../wire/start.ts';
import { logIdsIn } from './message-ids.ts';

const streamWires = { streamDeadLetters, recordMetrics };

interface StreamWork<Uses extends Wires, Change> {
  /**
   * Returns the work that a change requires; `undefined` if none.
   *
   * @throws if the change cannot be read
   */
  readonly read: (dependencies: Wired<Uses>, change: ItemChange) => Change | undefined;
  /** Works all changes and returns their outcomes in order, with their measurements. */
  readonly work: (
    dependencies: Wired<Uses>,
    changes: readonly Change[],
  ) => Promise<readonly PromiseSettledResult<readonly Measurement[]>[]>;
}

/**
 * The time for which the stream repeats a record that cannot be read. During a deployment it may be a record of the newer
 * release, which the newer function reads. Far below the age at which Lambda gives a record up (`infra/constructs/triggers.ts`).
 */
const unreadablePatienceMs = 10 * minuteMs;

/** The number of outcomes to keep for records behind a failed one: ten full batches. */
const maxRemembered = 1_000;

/**
 * Creates the handler of a function that reads the table's stream. The stream delivers every change at least once, and
 * repeats from the first record that failed. Records behind that one are not worked again if the repeated batch reaches
 * the same execution environment, as it usually does. A record that cannot be read for ten minutes is sent to the
 * dead-letter queue, because it would block all records behind it.
 */
export function streamHandler<Uses extends Wires, Change>(
  uses: Uses,
  { read, work }: StreamWork<Uses & typeof streamWires, Change>,
) {
  return handlerFactory({ ...uses, ...streamWires }, (dependencies) => {
    const { streamDeadLetters, recordMetrics } = dependencies;
    /** The outcomes of records that the stream will repeat, by the ids of the records. */
    const remembered = new Map<string, Outcome>();

    const readOrDeadLetter = async (record: DynamoDBRecord): Promise<Change | undefined> => {
      let change: ItemChange | undefined;
      try {
        change = itemChange(record.dynamodb);
        return read(dependencies, change);
      } catch (error) {
        const { ApproximateCreationDateTime: committedSeconds = 0 } = record.dynamodb ?? {};
        const isOld = systemClock() - committedSeconds * secondMs > unreadablePatienceMs;
        const details = {
          ...logIdsIn(change?.after ?? change?.before),
          eventId: record.eventID,
          error: error as Error,
        };
        logger[isOld ? 'error' : 'warn']('a change cannot be read', details);
        if (!isOld) throw error;
        await streamDeadLetters.send(record);
        return undefined;
      }
    };

    const workAll = async (records: readonly DynamoDBRecord[]): Promise<Outcome[]> => {
      const reads = await Promise.allSettled(records.map(readOrDeadLetter));
      const changes = reads.flatMap((each) => (each.status === 'fulfilled' ? (each.value ?? []) : []));
      const worked = [...(await work(dependencies, changes as Change[]))];
      return reads.map((each) => {
        if (each.status === 'rejected') return each;
        return (each.value === undefined ? undefined : worked.shift()) ?? nothing;
      });
    };

    const remember = ({ eventID }: DynamoDBRecord, outcome: Outcome) => {
      if (eventID === undefined || outcome.status === 'rejected') return;
      remembered.set(eventID, outcome);
      for (const oldest of remembered.keys()) if (remembered.size > maxRemembered) remembered.delete(oldest);
    };

    return middy<DynamoDBStreamEvent, DynamoDBBatchResponse, Error, Context>().handler(
      async ({ Records }) => {
        const isNew = ({ eventID = '' }: DynamoDBRecord) => !remembered.has(eventID);
        const worked = await workAll(Records.filter(isNew));
        const outcomes = Records.map((record) =>
          isNew(record) ? worked.shift() : remembered.get(record.eventID ?? ''),
        ).map((outcome) => outcome ?? nothing);
        const failed = outcomes.findIndex(({ status }) => status === 'rejected');
        // The stream repeats the records from there on, and they are measured then.
        const done = failed < 0 ? outcomes : outcomes.slice(0, failed);
        recordMetrics(done.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : [])));
        for (const { eventID = '' } of Records.slice(0, done.length)) remembered.delete(eventID);
        if (failed < 0) return { batchItemFailures: [] };
        for (const [index, record] of Records.entries()) {
          const outcome = outcomes[index];
          if (index > failed && outcome) remember(record, outcome);
        }
        return { batchItemFailures: [{ itemIdentifier: Records[failed]?.dynamodb?.SequenceNumber ?? '' }] };
      },
    );
  });
}

type Outcome = PromiseSettledResult<readonly Measurement[]>;

const nothing: Outcome = { status: 'fulfilled', value: [] };
