import { minuteMs } from '../../kernel/clock.ts';
import { type ResendPorts, sweepMessages, untilTwiceAsLateMs } from '../../overdue/resend.ts';
import { allDeliveryShards } from '../../table/keys.ts';
import { Delivery, type WebhookMessage } from '../schemas.ts';
import { messageOf, postponeSweep } from './store.ts';

/** How late a delivery must be. By then its message may be lost, never sent, or far back in its queue. */
const graceMs = minuteMs;

export type ResendDeliveriesPorts = ResendPorts<WebhookMessage>;

/**
 * Sends the messages of all deliveries that are due and have not been attempted.
 *
 * @param deadlineMs epoch milliseconds after which no page is begun
 * @returns how many messages were sent
 */
export function resendDueDeliveries(ports: ResendDeliveriesPorts, deadlineMs: number): Promise<number> {
  const waiting = {
    shards: allDeliveryShards,
    graceMs,
    read: (item: Record<string, unknown>) => Delivery.parse(item),
    postpone: postponeSweep,
    postponedMs: ({ nextAttemptAt }: Delivery, nowMs: number) =>
      untilTwiceAsLateMs(nowMs - Date.parse(nextAttemptAt ?? ''), graceMs),
    messageOf,
  };
  return sweepMessages(ports, waiting, deadlineMs);
}
