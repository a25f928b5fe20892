import { addDays, startOfDay } from '../../../time.ts';

/** When a key ends. `date`: at the end of that day in the workspace's zone; empty until one is chosen. */
export type Expiry =
  | { readonly kind: 'never' }
  | { readonly kind: 'days'; readonly days: number }
  | { readonly kind: 'date'; readonly date: string };

/**
 * When a key of now would end.
 *
 * @param now epoch milliseconds
 * @returns ISO 8601; `undefined` for never, or if no day is chosen
 */
export function expiresAt(expiry: Expiry, timeZone: string, now: number): string | undefined {
  if (expiry.kind === 'days') return new Date(now + expiry.days * 86_400_000).toISOString();
  if (expiry.kind === 'never' || !/^\d{4}-\d\d-\d\d$/.test(expiry.date)) return undefined;
  return startOfDay(addDays(expiry.date, 1), timeZone).toISOString();
}
