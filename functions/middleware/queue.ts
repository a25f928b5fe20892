import middy from '@middy/core';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { minuteMs, secondMs } from '../../lib/kernel/clock.ts';
import { maximumReceives } from '../../lib/kernel/receives.ts';
import { receiveAgain } from '../wire/aws.ts';
import { logger, withLogKeys } from '../wire/logger.ts';
import { handlerFactory, type Wired, type Wires } from '../wire/start.ts';
import { logIdsIn } from './message-ids.ts';

/** A record whose body could be read. */
export interface Received<Message> {
  readonly message: Message;
  readonly record: SQSRecord;
}

/**
 * Creates the handler of a queue. It works the messages of a batch concurrently and independently: if one fails, only that
 * one is reported as failed, and SQS delivers it again. A message that cannot be read does not wait for the queue's visibility
 * timeout, see {@link unreadableWaitSeconds}.
 *
 * @param schema reads the JSON of a message
 * @param work works one message; throws if SQS must deliver it again
 */
export function queueHandler<Uses extends Wires, Message>(
  uses: Uses,
  schema: z.ZodType<Message>,
  work: (dependencies: Wired<Uses>, message: Message, record: SQSRecord, context: Context) => Promise<void>,
) {
  return batchHandler(uses, schema, (dependencies, received, context) =>
    Promise.allSettled(
      received.map(({ message, record }) =>
        withLogKeys({ messageId: record.messageId }, async () => {
          try {
            await work(dependencies, message, record, context);
          } catch (error) {
            logFailure(record, error);
            throw error;
          }
        }),
      ),
    ),
  );
}

/** Works all messages and returns the outcomes in their order. */
type BatchWork<Uses extends Wires, Message> = (
  dependencies: Wired<Uses>,
  received: readonly Received<Message>[],
  context: Context,
) => Promise<readonly PromiseSettledResult<unknown>[]>;

/** Creates the handler of a queue, like {@link queueHandler}, for work that shares something between the messages of a batch. */
export function queueBatchHandler<Uses extends Wires, Message>(
  uses: Uses,
  schema: z.ZodType<Message>,
  work: BatchWork<Uses, Message>,
) {
  return batchHandler(uses, schema, async (dependencies, received, context) => {
    const outcomes = await work(dependencies, received, context);
    for (const [index, outcome] of outcomes.entries()) {
      const record = received[index]?.record;
      if (outcome.status === 'rejected' && record !== undefined) logFailure(record, outcome.reason);
    }
    return outcomes;
  });
}

const queueWires = { receiveAgain };

function batchHandler<Uses extends Wires, Message>(
  uses: Uses,
  schema: z.ZodType<Message>,
  work: BatchWork<Uses & typeof queueWires, Message>,
) {
  return handlerFactory({ ...uses, ...queueWires }, (dependencies) =>
    middy<SQSEvent, SQSBatchResponse, Error, Context>().handler(async ({ Records }, context) => {
      const readable: Received<Message>[] = [];
      const unreadable: SQSRecord[] = [];
      for (const record of Records) {
        try {
          readable.push({ message: schema.parse(JSON.parse(record.body)), record });
        } catch (error) {
          logFailure(record, error);
          unreadable.push(record);
        }
      }
      const giveBack = (record: SQSRecord) => receiveUnreadableAgain(dependencies.receiveAgain, record);
      const [outcomes] = await Promise.all([
        readable.length > 0 ? work(dependencies, readable, context) : [],
        ...unreadable.map(giveBack),
      ]);
      const failed = readable.flatMap(({ record }, index) =>
        outcomes[index]?.status === 'rejected' ? [record] : [],
      );
      return {
        batchItemFailures: [...failed, ...unreadable].map(({ messageId }) => ({ itemIdentifier: messageId })),
      };
    }),
  );
}

function logFailure({ messageId, body }: SQSRecord, error: unknown): void {
  logger.error('a message failed', { messageId, ...logIdsIn(body), error: error as Error });
}

/** The time for which a message is received that another release may have sent: until a deployment or its return is over. */
const otherReleaseMs = 10 * minuteMs;

/**
 * Returns the wait until a message that cannot be read is received again. After the last receive SQS moves it to the dead letters,
 * so it arrives there at once if it is no JSON object, which no release sends, and otherwise after {@link otherReleaseMs}. With the
 * queue's own visibility timeout, both would take hours. Pure.
 */
export function unreadableWaitSeconds(body: string): number {
  return isJsonObject(body) ? Math.ceil(otherReleaseMs / secondMs / (maximumReceives - 1)) : 0;
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

async function receiveUnreadableAgain(
  again: Wired<typeof queueWires>['receiveAgain'],
  { receiptHandle, body }: SQSRecord,
): Promise<void> {
  try {
    await again(receiptHandle, unreadableWaitSeconds(body));
  } catch (error) {
    // Then it is received again after the queue's visibility timeout.
    logger.warn('a message keeps its visibility timeout', error as Error);
  }
}
