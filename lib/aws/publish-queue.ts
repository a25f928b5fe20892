import type { PublishMessage } from '../publishing/message.ts';
import { openQueue } from './queue.ts';

/** Sends publish messages, each in the name of its workspace. */
export function openPublishQueue(
  queueUrl: string,
): (message: PublishMessage, delaySeconds: number) => Promise<void> {
  const queue = openQueue(queueUrl);
  return (message, delaySeconds) => queue.send(message, { delaySeconds, tenant: message.workspaceId });
}
