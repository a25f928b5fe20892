import type { TenantQueue } from '../aws/queue.ts';
import type { PublishMessage, WakeQueue } from './message.ts';

/** Joins the queues of wakes: sends each message to the one that it names. */
export function joinWakeQueues(
  queues: Readonly<Record<WakeQueue, TenantQueue<PublishMessage>>>,
): TenantQueue<PublishMessage> {
  const queueFor = (message: PublishMessage): WakeQueue => message.queue ?? 'publish';
  return {
    send: (message, delaySeconds) => queues[queueFor(message)].send(message, delaySeconds),
    sendAll: async (messages, delaySecondsOf) => {
      const groups = Map.groupBy(messages, queueFor);
      const refused = await Promise.all(
        [...groups].map(([name, group]) => queues[name].sendAll(group, delaySecondsOf)),
      );
      return new Set(refused.flatMap((each) => [...each]));
    },
  };
}
