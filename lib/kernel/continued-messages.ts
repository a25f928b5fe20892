/** A message that a worker may send to its own queue, for work that goes on later. */
export interface ContinuedMessage {
  /** How many workers have sent it on, one after the other, since something else sent the first one. Absent: none. */
  readonly sends?: number | undefined;
}

/**
 * The most messages that follow one another. Lambda takes a longer chain for an endless loop: from the seventeenth message on,
 * it calls the function no more. https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
 */
export const mostSends = 12;

type Enqueue<Message> = (message: Message, delaySeconds: number) => Promise<void>;

/**
 * Sends messages on that follow from a received one, and counts them. Sends none that would make the chain too long: a sweep
 * finds what is overdue within a minute or two, and its message begins a new chain. So no chain is endless, even if a platform
 * asks for one short wait after the other.
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
