import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { awsClientOptions } from './client-options.ts';

export interface SendOptions {
  readonly delaySeconds?: number;
  /** On a standard queue this is what makes it fair: no tenant's messages hold up another's. */
  readonly tenant?: string;
}

/** Sends JSON messages to one queue. */
export function openQueue(queueUrl: string) {
  const client = new SQSClient(awsClientOptions());
  return {
    send: async (message: unknown, { delaySeconds, tenant }: SendOptions = {}): Promise<void> => {
      await client.send(
        new SendMessageCommand({
          QueueUrl: queueUrl,
          MessageBody: JSON.stringify(message),
          DelaySeconds: delaySeconds,
          MessageGroupId: tenant,
        }),
      );
    },
  };
}
