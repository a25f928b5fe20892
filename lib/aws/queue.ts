import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { type Turn, together } from '../kernel/together.ts';
import { type AwsAccess, awsClientOptions } from './client-options.ts';

export interface Queue {
  readonly send: (message: unknown) => Promise<void>;
}

/** Sends JSON messages to one queue. */
export function openQueue(queueUrl: string, access?: AwsAccess): Queue {
  const client = new SQSClient(awsClientOptions(access));
  return {
    send: async (message) => {
      await client.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(message) }));
    },
  };
}

/** Lets a message that was received and is not deleted be received again after a time, instead of the queue's visibility timeout. */
export type ReceiveAgain = (receiptHandle: string, afterSeconds: number) => Promise<void>;

/** Opens a queue for its consumer. The client is created at the first call, because there is hardly ever one. */
export function receivingAgain(queueUrl: string, access?: AwsAccess): ReceiveAgain {
  let client: SQSClient | undefined;
  return async (ReceiptHandle, VisibilityTimeout) => {
    client ??= new SQSClient(awsClientOptions(access));
    await client.send(
      new ChangeMessageVisibilityCommand({ QueueUrl: queueUrl, ReceiptHandle, VisibilityTimeout }),
    );
  };
}

/** The maximum number of messages that SQS accepts per request. */
const batchSize = 10;
const concurrentBatches = 5;

/** Reports that a queue did not accept messages: their number and its reason. */
export type ReportRefused = (refused: { readonly messages: number; readonly reason: unknown }) => void;

export interface TenantQueue<Message> {
  /** Sends one message, which can be received after the delay. */
  readonly send: (message: Message, delaySeconds?: number) => Promise<void>;
  /**
   * Sends messages, each with its delay. Without `delaySecondsOf`, they can be received immediately.
   *
   * @returns the messages that the queue did not accept
   */
  readonly sendAll: (
    messages: readonly Message[],
    delaySecondsOf?: (message: Message) => number,
  ) => Promise<ReadonlySet<Message>>;
}

/**
 * Sends JSON messages with the workspace as the message group. This makes a standard SQS queue fair: one tenant's backlog does
 * not delay the others.
 *
 * @param options.reportRefused gets the reason if messages of `sendAll` were not accepted
 * @param options.groupOf another group, for messages that must not delay others of their workspace
 */
export function openTenantQueue<Message extends { readonly workspaceId: string }>(
  queueUrl: string,
  {
    reportRefused,
    access,
    groupOf = ({ workspaceId }) => workspaceId,
  }: {
    readonly reportRefused?: ReportRefused;
    readonly access?: AwsAccess;
    readonly groupOf?: (message: Message) => string;
  } = {},
): TenantQueue<Message> {
  const client = new SQSClient(awsClientOptions(access));

  /** @returns the messages of the batch that the queue did not accept */
  async function sendBatch(
    batch: readonly Message[],
    delaySecondsOf?: (message: Message) => number,
  ): Promise<readonly Message[]> {
    try {
      const { Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: batch.map((message, index) => ({
            Id: String(index),
            MessageBody: JSON.stringify(message),
            DelaySeconds: delaySecondsOf?.(message),
            MessageGroupId: groupOf(message),
          })),
        }),
      );
      const refused = new Set(Failed.map(({ Id }) => Number(Id)));
      const [first] = Failed;
      if (first)
        reportRefused?.({ messages: Failed.length, reason: `${first.Code}: ${first.Message ?? ''}` });
      return batch.filter((_message, index) => refused.has(index));
    } catch (reason) {
      reportRefused?.({ messages: batch.length, reason });
      // The SDK has already retried. The sweep finds the items whose messages were not sent.
      return batch;
    }
  }

  return {
    send: async (message, delaySeconds) => {
      await client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify(message),
          DelaySeconds: delaySeconds,
          MessageGroupId: groupOf(message),
        }),
      );
    },
    sendAll: async (messages, delaySecondsOf) => {
      const refused = new Set<Message>();
      const batches = Array.from({ length: Math.ceil(messages.length / batchSize) }, (_, index) =>
        messages.slice(index * batchSize, (index + 1) * batchSize),
      );
      for (let first = 0; first < batches.length; first += concurrentBatches) {
        const some = batches.slice(first, first + concurrentBatches);
        const sent = await Promise.all(some.map((batch) => sendBatch(batch, delaySecondsOf)));
        for (const message of sent.flat()) refused.add(message);
      }
      return refused;
    },
  };
}

/**
 * Returns a queue that joins messages sent at the same time into shared requests. For a worker of several messages.
 *
 * @param turn ends the collection; by default `setImmediate`
 * @returns a queue whose `send` throws if the queue has not accepted the message. The reason is reported, as for `sendAll`
 */
export function sendingTogether<Message extends { readonly workspaceId: string }>(
  queue: TenantQueue<Message>,
  turn: Turn = setImmediate,
): TenantQueue<Message> {
  const send = together<{ readonly message: Message; readonly delaySeconds: number | undefined }, void>(
    async (calls) => {
      const [only, ...others] = calls;
      if (only && others.length === 0)
        return Promise.allSettled([queue.send(only.message, only.delaySeconds)]);
      // A message may be sent twice, with two delays.
      const delays = new Map(calls.map(({ message, delaySeconds = 0 }) => [{ ...message }, delaySeconds]));
      const messages = [...delays.keys()];
      const refused = await queue.sendAll(messages, (message) => delays.get(message) ?? 0);
      return messages.map((message) =>
        refused.has(message)
          ? { status: 'rejected', reason: new Error('the queue did not accept the message') }
          : { status: 'fulfilled', value: undefined },
      );
    },
    turn,
  );
  return { ...queue, send: (message, delaySeconds) => send({ message, delaySeconds }) };
}
