import { minuteMs } from '../kernel/clock.ts';
import { type SweepMessagesPorts, sweepMessages } from '../sweeping/sweep-messages.ts';
import { allDeliveryShards } from '../table/keys.ts';
import { messageOf, postponeSweep } from './delivery-store.ts';
import { Delivery, type WebhookMessage } from './schemas.ts';

export type SweepDeliveriesPorts = SweepMessagesPorts<WebhookMessage>;

/**
 * Sends the messages of all deliveries that are due and have not been attempted.
 *
 * @param deadlineMs no page is begun after it, in epoch milliseconds
 * @returns how many messages were sent
 */
export function sweepDeliveries(ports: SweepDeliveriesPorts, deadlineMs: number): Promise<number> {
  const waiting = {
    shards: allDeliveryShards,
    graceMs: minuteMs,
    schema: Delivery,
    postpone: postponeSweep,
    postponedMs: 15 * minuteMs,
    messageOf,
  };
  return sweepMessages(ports, waiting, deadlineMs);
}
