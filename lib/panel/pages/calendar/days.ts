import { type WallClock, wallClockOf } from '../../wall-clock.ts';
import { locale } from '../../words/words.ts';

export const views = ['month', 'week', 'day', 'agenda'] as const;
export type View = (typeof views)[number];

/** A span of whole days, with the instants at which it begins and ends (exclusive); ISO 8601. */
export interface Range {
  /** `2026-11-23`, in order. */
  readonly days: readonly string[];
  readonly from: string;
  readonly to: string;
}

const mondayFirst = 1;

/** Returns the day that a text from a URL names; `undefined` if there is no such day. */
export function dayOf(text: string | undefined): string | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString();
  } catch {
    return undefined;
  }
}

/** The weeks, Monday to Sunday, that have a day of the month: four to six. */
export function weeksOfMonth(day: string): string[][] {
  const first = Temporal.PlainDate.from(day).with({ day: 1 });
  const last = first.with({ day: first.daysInMonth });
  const weeks: string[][] = [];
  for (let monday = mondayOf(first); Temporal.PlainDate.compare(monday, last) <= 0; ) {
    weeks.push(daysFrom(monday, 7));
    monday = monday.add({ days: 7 });
  }
  return weeks;
}

/** The days from Monday to Sunday around a day. */
export const weekOf = (day: string): string[] => daysFrom(mondayOf(Temporal.PlainDate.from(day)), 7);

/** The number of days that an agenda shows. */
const agendaDays = 30;

/** The days that a view shows. */
export function daysOf(view: View, day: string): string[] {
  if (view === 'month') return weeksOfMonth(day).flat();
  if (view === 'week') return weekOf(day);
  return view === 'day' ? [day] : daysFrom(Temporal.PlainDate.from(day), agendaDays);
}

/**
 * Returns the span that a view reads: a day reads its week, so that the next day is there at once.
 *
 * @param timeZone its midnights count
 */
export function rangeOf(view: View, day: string, timeZone: string): Range {
  const days = view === 'day' ? weekOf(day) : daysOf(view, day);
  const [from, to] = [days[0] ?? day, plusDays(days.at(-1) ?? day, 1)].map((each) =>
    new Date(beginOf(each, timeZone)).toISOString(),
  ) as [string, string];
  return { days, from, to };
}

/** The day that a view shows after a step forwards (1) or back (-1). A shorter month ends with its last day. */
export function step(view: View, day: string, direction: 1 | -1): string {
  const date = Temporal.PlainDate.from(day);
  if (view === 'week') return date.add({ days: 7 * direction }).toString();
  if (view === 'day') return date.add({ days: direction }).toString();
  if (view === 'agenda') return date.add({ days: agendaDays * direction }).toString();
  return date.add({ months: direction }).toString();
}

export const plusDays = (day: string, days: number): string =>
  Temporal.PlainDate.from(day).add({ days }).toString();

export const isSameMonth = (one: string, other: string): boolean => one.slice(0, 7) === other.slice(0, 7);

/**
 * Puts each thing on the day that the clocks of a zone show at its time, in order of time. What is on none of the days is left out. Pure.
 *
 * @param days in order, without gaps
 */
export function byDay<Thing extends { readonly at: string }>(
  things: readonly Thing[],
  days: readonly string[],
  timeZone: string,
): ReadonlyMap<string, readonly Thing[]> {
  const begins = days.map((day) => beginOf(day, timeZone));
  const last = days.at(-1);
  const end = last === undefined ? 0 : beginOf(plusDays(last, 1), timeZone);
  const found = new Map<string, Thing[]>(days.map((day) => [day, []]));
  for (const thing of things) {
    const at = Date.parse(thing.at);
    if (at >= end) continue;
    // Of two days that begin at once, the clocks never show the first: see Samoa, 30 December 2011.
    const place = begins.findLastIndex((begin) => begin <= at);
    found.get(days[place] ?? '')?.push(thing);
  }
  for (const list of found.values()) list.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return found;
}

/** Epoch milliseconds of the first moment of a day. Clocks may skip midnight. */
function beginOf(day: string, timeZone: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime({ timeZone }).epochMilliseconds;
}

const mondayOf = (date: Temporal.PlainDate): Temporal.PlainDate =>
  date.subtract({ days: date.dayOfWeek - mondayFirst });

const daysFrom = (first: Temporal.PlainDate, count: number): string[] =>
  Array.from({ length: count }, (_, days) => first.add({ days }).toString());

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

const usualTime = '09:00';
const hourMs = 3_600_000;

/**
 * The time that is offered for a new post on a day: nine in the morning, or the next full hour if that is over. `undefined` on days that
 * are over.
 *
 * @param now epoch milliseconds
 */
export function offeredTime(day: string, timeZone: string, now: number): WallClock | undefined {
  const present = wallClockOf(new Date(now), timeZone);
  if (day < present.date) return undefined;
  if (day > present.date || present.time < usualTime) return { date: day, time: usualTime };
  const next = wallClockOf(new Date((Math.floor(now / hourMs) + 1) * hourMs), timeZone);
  return next.date === day ? next : undefined;
}

/** The page that writes a new post for a day. */
export function composeHref(day: string, timeZone: string, now: number): string | undefined {
  const wall = offeredTime(day, timeZone, now);
  return wall && `/compose?at=${wall.date}T${wall.time}`;
}
