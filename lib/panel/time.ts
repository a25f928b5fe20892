import { locale, words } from './words/words.ts';

/** The form of a written time: `full` has date and time, `date` only the date, `time` only the time. */
export type TimeFormat = 'full' | 'date' | 'time';

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, known);
  return known;
}

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** `14 Mar 2026, 09:30` as in the zone, without its name. */
export function formatTime(at: Date, timeZone: string, format: TimeFormat): string {
  const parts = { ...(format !== 'time' && day), ...(format !== 'date' && clock) };
  return formatFor({ ...parts, timeZone }).format(at);
}

/** `14 Mar 2026, 09:30:00.031` as in the zone: what the service records, to the millisecond. */
export function formatPrecise(at: Date, timeZone: string): string {
  const parts = { ...day, ...clock, second: '2-digit', fractionalSecondDigits: 3 } as const;
  return formatFor({ ...parts, timeZone }).format(at);
}

/** Returns the name of the zone at that time: `CET`, `GMT+9`. */
export function zoneName(at: Date, timeZone: string): string {
  const parts = formatFor({ timeZone, timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** Returns true if clocks show the same in both zones at that time. */
export function isSameTime(at: Date, one: string, other: string): boolean {
  return one === other || formatTime(at, one, 'full') === formatTime(at, other, 'full');
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

let relative: Intl.RelativeTimeFormat | undefined;

/** `3 minutes ago`, `in 2 days`. */
export function formatRelative(at: Date, now: number): string {
  const distance = at.getTime() - now;
  relative ??= new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  for (const [unit, length] of units)
    if (Math.abs(distance) >= length) return relative.format(Math.trunc(distance / length), unit);
  return words.shared.time.now;
}

/** A day without a time: `2026-03-14` as `14 Mar 2026`. */
export function formatDay(date: string): string {
  return formatFor({ ...day, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
}

/** The same without the year: `14 Mar`. */
export function formatShortDay(date: string): string {
  const { year: _, ...parts } = day;
  return formatFor({ ...parts, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
}

/**
 * Returns the time at which a day begins on the clocks of a zone. If they skip midnight, that is the first moment after it.
 *
 * @param date `2026-03-14`
 */
export function startOfDay(date: string, timeZone: string): Date {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  // Offsets are at most 14 hours and change at most once around a midnight.
  const candidates = [midnight - 86_400_000, midnight + 86_400_000]
    .map((at) => midnight - offsetMs(at, timeZone))
    .sort((one, other) => one - other);
  const begins = candidates.find((at) => dayIn(new Date(at), timeZone) === date);
  return new Date(begins ?? midnight);
}

/** The date on the clocks of a zone: `2026-03-14`. */
export function dayIn(at: Date, timeZone: string): string {
  return new Date(at.getTime() + offsetMs(at.getTime(), timeZone)).toISOString().slice(0, 10);
}

/** The day some days later: `addDays('2026-02-28', 1)` is `2026-03-01`. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns how far the clocks of a zone are ahead of UTC. */
function offsetMs(at: number, timeZone: string): number {
  const parts = formatFor({ timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const text = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(text) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

const dayPattern = /^20\d\d-\d\d-\d\d$/;

/** Returns true if the text is a whole, plausible day: `2026-03-14`. */
export const isDay = (text: string): boolean =>
  dayPattern.test(text) && addDays(addDays(text, 1), -1) === text;
