import { minuteMs } from '../../kernel/clock.ts';
import { type ResendPorts, sweepMessages, untilTwiceAsLateMs } from '../../overdue/resend.ts';
import { allDeliveryShards } from '../../table/keys.ts';
import { Delivery, type WebhookMessage } from '../schemas.ts';
import { messageOf, postponeSweep } from './store.ts';

/** The minimum lateness of a delivery. By then its message may be lost, never sent, or far back in its queue. */
const graceMs = minuteMs;

export type ResendDeliveriesPorts = ResendPorts<WebhookMessage>;

/**
 * Sends the messages of all due deliveries that have not been attempted.
 *
 * @param deadlineMs epoch milliseconds after which no page is begun
 * @param shards those of the deliveries; default: those of new events
 * @returns the number of messages sent
 */
export function resendDueDeliveries(
  ports: ResendDeliveriesPorts,
  deadlineMs: number,
  shards: readonly string[] = allDeliveryShards,
): Promise<number> {
  const waiting = {
    shards,
    graceMs,
    read: (item: Record<string, unknown>) => Delivery.parse(item),
    postpone: postponeSweep,
    postponedMs: ({ nextAttemptAt }: Delivery, nowMs: number) =>
      untilTwiceAsLateMs(nowMs - Date.parse(nextAttemptAt ?? ''), graceMs),
    messageOf,
  };
  return sweepMessages(ports, waiting, deadlineMs);
}
