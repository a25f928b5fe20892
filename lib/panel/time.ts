import { locale, strings } from './strings.ts';

/** How a time is written: `full` has date and time, `date` only the date, `time` only the time. */
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

/** What the zone is called at that time: `CET`, `GMT+9`. */
export function zoneName(at: Date, timeZone: string): string {
  const parts = formatFor({ timeZone, timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** Whether clocks show the same in both zones at that time. */
export function isSameTime(at: Date, one: string, other: string): boolean {
  return one === other || formatTime(at, one, 'full') === formatTime(at, other, 'full');
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `3 minutes ago`, `in 2 days`. */
export function formatRelative(at: Date, now: number): string {
  const distance = at.getTime() - now;
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  for (const [unit, length] of units)
    if (Math.abs(distance) >= length) return relative.format(Math.trunc(distance / length), unit);
  return strings.time.now;
}

/** A day without a time: `2026-03-14` as `14 Mar 2026`. */
export function formatDay(date: string): string {
  return formatFor({ ...day, timeZone: 'UTC' }).format(new Date(`${date}T00:00:00Z`));
}
