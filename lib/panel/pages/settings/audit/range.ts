import { addDays, isDay, startOfDay } from '../../../time.ts';

/**
 * The query for a range of days on the clocks of a zone, both included. What is no day does not limit it.
 *
 * @returns ISO times; `to` is the first moment after the range. `undefined` if the range ends before it begins
 */
export function rangeOf(
  { from, to }: { readonly from: string; readonly to: string },
  timeZone: string,
): { readonly from?: string; readonly to?: string } | undefined {
  if (isDay(from) && isDay(to) && to < from) return undefined;
  return {
    ...(isDay(from) && { from: startOfDay(from, timeZone).toISOString() }),
    ...(isDay(to) && { to: startOfDay(addDays(to, 1), timeZone).toISOString() }),
  };
}
