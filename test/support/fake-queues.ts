import type { Queue, TenantQueue } from '../../lib/aws/queue.ts';

/** A message that a function has sent. */
export interface SentMessage {
  readonly queueUrl: string;
  readonly body: unknown;
  readonly tenant: string | undefined;
}

/** The queues of functions, which accept every message. */
export function queuesInMemory() {
  const sent: SentMessage[] = [];
  const take = (queueUrl: string, message: unknown, tenant?: string) => {
    sent.push({ queueUrl, body: JSON.parse(JSON.stringify(message)), tenant });
  };
  return {
    /** All messages so far. */
    sent,
    openQueue: (queueUrl: string): Queue => ({ send: async (message) => take(queueUrl, message) }),
    openTenantQueue: <Message extends { readonly workspaceId: string }>(
      queueUrl: string,
    ): Pick<TenantQueue<Message>, 'sendAll'> => ({
      async sendAll(messages) {
        for (const message of messages) take(queueUrl, message, message.workspaceId);
        return new Set();
      },
    }),
  };
}
