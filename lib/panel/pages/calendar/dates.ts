import { locale } from '../../words/words.ts';
import type { View } from './grid.ts';

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
const month = format({ month: 'long', year: 'numeric' });
const week = format({ day: 'numeric', month: 'long', year: 'numeric' });
const full = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const named = format({ weekday: 'long', day: 'numeric', month: 'long' });
const short = format({ day: 'numeric', month: 'short' });
const monthLong = format({ month: 'long' });
const weekdayLong = format({ weekday: 'long' });
const weekdayShort = format({ weekday: 'short' });

const dateOf = (day: string) => new Date(`${day}T00:00:00Z`);

/** `November 2026`; `23–29 November 2026` for a week or an agenda; `Monday, 23 November 2026`. */
export function periodOf(view: View, day: string, days: readonly string[]): string {
  if (view === 'day') return full.format(dateOf(day));
  if (view === 'month') return month.format(dateOf(day));
  return week.formatRange(dateOf(days[0] ?? day), dateOf(days.at(-1) ?? day));
}

/** `Monday 23 November` */
export const nameOfDay = (day: string): string => named.format(dateOf(day));
/** `Monday` and `November` */
export const partsOfDay = (day: string) => ({
  weekday: weekdayLong.format(dateOf(day)),
  month: monthLong.format(dateOf(day)),
});
/** `23 Nov` */
export const shortDay = (day: string): string => short.format(dateOf(day));
/** `Monday` and `Mon` */
export const weekdayOf = (day: string) => ({
  long: weekdayLong.format(dateOf(day)),
  short: weekdayShort.format(dateOf(day)),
});
/** `23`, without zeros before it. */
export const numberOf = (day: string): string => String(Number(day.slice(8)));
