import { HeraldError } from '../../kernel/errors.ts';
import type { WebhookMessage } from '../schemas.ts';

export interface EnqueuePorts {
  /**
   * Sends the messages of due deliveries.
   *
   * @returns the messages that the queue did not accept
   */
  readonly sendAll: (messages: readonly WebhookMessage[]) => Promise<ReadonlySet<WebhookMessage>>;
  /** Reports to operators that the queue did not accept messages. */
  readonly report: (message: string, details: Readonly<Record<string, unknown>>) => void;
}

/** Sends the messages of stored deliveries. If the queue does not accept one, the sweep sends it a minute or so later. */
export async function enqueueDeliveries(
  { sendAll, report }: EnqueuePorts,
  messages: readonly WebhookMessage[],
): Promise<void> {
  const refused = await sendAll(messages);
  if (refused.size > 0) report('the queue did not accept every message', { refused: refused.size });
}

/** Returns the error for an operation that needs an active endpoint. */
export function disabled(): HeraldError {
  return new HeraldError(
    'webhook_disabled',
    'webhook: it is disabled and receives nothing; set `isActive: true` first',
  );
}
