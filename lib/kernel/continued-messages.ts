/** A message that a worker may send to its own queue, to continue work later. */
export interface ContinuedMessage {
  /** The number of workers that have passed it on, one after the other, since something else sent the first one. Absent: none. */
  readonly sends?: number | undefined;
}

/**
 * The maximum length of a chain of messages. Lambda takes a longer chain for an endless loop: from the seventeenth message on, it
 * no longer calls the function. https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 */
export const mostSends = 12;

type Enqueue<Message> = (message: Message, delaySeconds: number) => Promise<void>;

/**
 * Returns a function that sends and counts the messages that follow a received one. It sends none that would make the chain too
 * long: a sweep finds overdue work within a minute or two, and its message begins a new chain. So no chain is endless, even if a
 * platform asks for one short wait after the other.
 */
export function continuing<Message extends ContinuedMessage>(
  received: ContinuedMessage,
  enqueue: Enqueue<Message>,
): Enqueue<Message> {
  const sends = (received.sends ?? 0) + 1;
  return async (message, delaySeconds) => {
    if (sends <= mostSends) await enqueue({ ...message, sends }, delaySeconds);
  };
}
