import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { PublishMessage } from '../publishing/message.ts';
import { awsClientOptions } from './client-options.ts';

/**
 * Sends publish messages. The workspace is the message group: on a standard queue that is what makes it fair, so that
 * one tenant's thousand posts do not hold up another's one.
 */
export function openPublishQueue(
  queueUrl: string,
): (message: PublishMessage, delaySeconds: number) => Promise<void> {
  const client = new SQSClient(awsClientOptions());
  return async (message, delaySeconds) => {
    await client.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify(message),
        DelaySeconds: delaySeconds,
        MessageGroupId: message.workspaceId,
      }),
    );
  };
}
