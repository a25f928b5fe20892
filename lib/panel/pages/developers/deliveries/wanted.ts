import { addDays, startOfDay } from '../../../time.ts';
import type { Delivery } from './delivery.ts';

export const filterNames = ['status', 'type', 'endpoint', 'period', 'from', 'to'] as const;
export type DeliveryFilters = Readonly<Record<(typeof filterNames)[number], string>>;

const hourMs = 3_600_000;
const periodsMs: Readonly<Record<string, number>> = { '1h': hourMs, '24h': 24 * hourMs, '7d': 168 * hourMs };
const day = /^\d{4}-\d\d-\d\d$/;

/** From when until before when. Epoch milliseconds. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The time that the filters allow.
 *
 * @param now epoch milliseconds
 */
export function spanOf({ period, from, to }: DeliveryFilters, timeZone: string, now: number): Span {
  const lastMs = periodsMs[period];
  if (lastMs !== undefined) return { fromMs: now - lastMs, toMs: Infinity };
  const isDays = period === 'days';
  return {
    fromMs: isDays && day.test(from) ? startOfDay(from, timeZone).getTime() : -Infinity,
    toMs: isDays && day.test(to) ? startOfDay(addDays(to, 1), timeZone).getTime() : Infinity,
  };
}

/** Whether a delivery fits what the API does not filter by. */
export function isWanted(delivery: Delivery, { type }: DeliveryFilters, { fromMs, toMs }: Span): boolean {
  const at = Date.parse(delivery.createdAt);
  return (type === '' || delivery.type === type) && at >= fromMs && at < toMs;
}
