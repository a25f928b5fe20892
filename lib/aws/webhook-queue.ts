import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { WebhookMessage } from '../webhooks/schemas.ts';
import { awsClientOptions } from './client-options.ts';
import { openQueue } from './queue.ts';

/** What SQS takes in one request. */
const batchSize = 10;
const batchesAtOnce = 5;

export interface WebhookQueue {
  /** Sends the message of one delivery, to be received after the delay. */
  readonly send: (message: WebhookMessage, delaySeconds: number) => Promise<void>;
  /**
   * Sends the messages of deliveries that are due.
   *
   * @returns those that the queue did not take
   */
  readonly sendAll: (messages: readonly WebhookMessage[]) => Promise<ReadonlySet<WebhookMessage>>;
}

/** Sends webhook messages, each in the name of its workspace. */
export function openWebhookQueue(queueUrl: string): WebhookQueue {
  const queue = openQueue(queueUrl);
  const client = new SQSClient(awsClientOptions());

  /** @returns those of the batch that were not taken */
  async function sendBatch(batch: readonly WebhookMessage[]): Promise<readonly WebhookMessage[]> {
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
    send: (message, delaySeconds) => queue.send(message, { delaySeconds, tenant: message.workspaceId }),
    sendAll: async (messages) => {
      const refused = new Set<WebhookMessage>();
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
