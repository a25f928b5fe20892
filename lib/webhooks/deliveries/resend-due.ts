import { minuteMs } from '../../kernel/clock.ts';
import { type ResendPorts, sweepMessages } from '../../overdue/resend.ts';
import { allDeliveryShards } from '../../table/keys.ts';
import { Delivery, type WebhookMessage } from '../schemas.ts';
import { messageOf, postponeSweep } from './store.ts';

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
    graceMs: minuteMs,
    read: (item: Record<string, unknown>) => Delivery.parse(item),
    postpone: postponeSweep,
    postponedMs: 15 * minuteMs,
    messageOf,
  };
  return sweepMessages(ports, waiting, deadlineMs);
}
