import { secondMs } from '../kernel/clock.ts';
import { leaseMs } from '../table/lease.ts';
import type { WakeMessage } from './message.ts';
import type { PublishingPorts } from './ports.ts';

/** The time after which the lease of a crashed worker has ended. */
export const takeoverSeconds = leaseMs / secondMs + 1;

/**
 * Sends the message that takes over if this worker crashes. It arrives just after the end of the lease; if the worker
 * lives, it finds the target held, or an obsolete wake. If the queue refuses it, the work continues: after a crash, the
 * sweep would find the target a minute later.
 */
export async function sendTakeover(
  ports: Pick<PublishingPorts, 'enqueue' | 'report'>,
  message: WakeMessage,
  delaySeconds: number,
): Promise<void> {
  try {
    await ports.enqueue({ ...message, isTakeover: true }, delaySeconds);
  } catch (error) {
    ports.report('no takeover message was sent', error);
  }
}
