import { HeraldError } from '../../kernel/errors.ts';
import type { WebhookMessage } from '../schemas.ts';

export interface EnqueuePorts {
  /**
   * Sends the messages of deliveries that are due.
   *
   * @returns those that the queue did not take
   */
  readonly sendAll: (messages: readonly WebhookMessage[]) => Promise<ReadonlySet<WebhookMessage>>;
  /** Tells operators of what the queue did not take. */
  readonly report: (message: string, details: Readonly<Record<string, unknown>>) => void;
}

/** Sets deliveries off that are committed and due. What the queue does not take, the sweep finds within a minute or so. */
export async function enqueueDeliveries(
  { sendAll, report }: EnqueuePorts,
  messages: readonly WebhookMessage[],
): Promise<void> {
  const refused = await sendAll(messages);
  if (refused.size > 0) report('the queue did not take every message', { refused: refused.size });
}

export function disabled(): HeraldError {
  return new HeraldError(
    'conflict',
    'webhook: it is disabled and is sent nothing; change it with `isActive: true` first',
  );
}
