import { daysIn } from '../../clicks/days.ts';
import { addDays, isDay } from '../../time.ts';

/** Ranges that end today, in days. */
export const presets = [7, 30, 90] as const;
export type Preset = (typeof presets)[number];
const usual: Preset = 30;

/** Returns the value in the URL: `30d`. */
export const keyOf = (days: Preset): string => `${days}d`;

/** The most that the service answers. */
export const mostDays = 366;

/** Days, both included. `preset` is absent for a range that somebody has typed. */
export interface Range {
  readonly from: string;
  readonly to: string;
  readonly preset?: Preset;
  /** The reason why it cannot be read. */
  readonly problem?: 'backwards' | 'too-long';
}

/**
 * The range that the URL names: `last` for a preset, or `from` and `to`. One without the other is 30 days.
 *
 * @param today the day in the zone of the days
 * @param most the most days that can be read
 */
export function rangeOf(
  { last, from, to }: { readonly last: string; readonly from: string; readonly to: string },
  today: string,
  most = mostDays,
): Range {
  if (!isDay(from) && !isDay(to))
    return lastDays(presets.find((each) => keyOf(each) === last) ?? usual, today);
  const end = isDay(to) ? to : addDays(from, usual - 1);
  const first = isDay(from) ? from : addDays(to, 1 - usual);
  const length = daysIn(first, end);
  return {
    from: first,
    to: end,
    ...(length < 1 && { problem: 'backwards' }),
    ...(length > most && { problem: 'too-long' }),
  };
}

export const lastDays = (days: Preset, today: string): Range => ({
  from: addDays(today, 1 - days),
  to: today,
  preset: days,
});
