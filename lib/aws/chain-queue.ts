import type { ChainMessage } from '../posts/chain/schemas.ts';
import { openQueue } from './queue.ts';

/** Sends chain messages, each in the name of its workspace. */
export function openChainQueue(queueUrl: string): (message: ChainMessage) => Promise<void> {
  const queue = openQueue(queueUrl);
  return (message) => queue.send(message, { tenant: message.workspaceId });
}
