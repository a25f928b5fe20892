import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
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

/** What SQS takes in one request. */
const batchSize = 10;
const batchesAtOnce = 5;

export interface TenantQueue<Message> {
  /** Sends one message, to be received after the delay. */
  readonly send: (message: Message, delaySeconds?: number) => Promise<void>;
  /**
   * Sends messages that are due.
   *
   * @returns those that the queue did not take
   */
  readonly sendAll: (messages: readonly Message[]) => Promise<ReadonlySet<Message>>;
}

/**
 * Sends JSON messages, each with its workspace as the message group. On a standard queue this makes the queue fair: no
 * tenant's messages hold up another's.
 */
export function openTenantQueue<Message extends { readonly workspaceId: string }>(
  queueUrl: string,
  access?: AwsAccess,
): TenantQueue<Message> {
  const client = new SQSClient(awsClientOptions(access));

  /** @returns those of the batch that were not taken */
  async function sendBatch(batch: readonly Message[]): Promise<readonly Message[]> {
    try {
      const { Failed = [] } = await client.send(
        new SendMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: batch.map((message, index) => ({
            Id: String(index),
            MessageBody: JSON.stringify(message),
            MessageGroupId: message.workspaceId,
          })),
        }),
      );
      const refused = new Set(Failed.map(({ Id }) => Number(Id)));
      return batch.filter((_message, index) => refused.has(index));
    } catch {
      // The sweep finds what was not sent; the SDK has tried it several times.
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
          MessageGroupId: message.workspaceId,
        }),
      );
    },
    sendAll: async (messages) => {
      const refused = new Set<Message>();
      const batches = Array.from({ length: Math.ceil(messages.length / batchSize) }, (_, index) =>
        messages.slice(index * batchSize, (index + 1) * batchSize),
      );
      for (let first = 0; first < batches.length; first += batchesAtOnce) {
        const sent = await Promise.all(batches.slice(first, first + batchesAtOnce).map(sendBatch));
        for (const message of sent.flat()) refused.add(message);
      }
      return refused;
    },
  };
}
