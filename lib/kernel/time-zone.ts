import { dayMs, minuteMs } from './clock.ts';

/**
 * Names that `Intl` accepts as time zones, because ICU has them. IANA has none of them, and Temporal refuses them, in the polyfill or
 * in browsers: abbreviations of Java and of System V, and a name that IANA has withdrawn.
 */
const icuOnly =
  /^(?:(?:AC|AE|AG|AR|AS|BE|BS|CA|CN|CS|CT|EA|EC|IE|IS|JS|MI|NE|NS|PL|PN|PR|PS|SS|VS)T|SystemV\/.*|US\/Pacific-New)$/i;

/**
 * True if this is the name of a time zone (IANA, such as `Europe/Istanbul`) that `Intl` and Temporal know. It decides for posts,
 * rhythms, slots, the workspace and the panel.
 */
export function isTimezone(name: string): boolean {
  // Skips loading the zone data, which takes 10 ms the first time, for the default.
  if (name === 'UTC') return true;
  if (icuOnly.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the time zone of a stored name: earlier releases accepted names that only ICU has, and these mean what ICU means by them.
 * `workspace rebuild` replaces them in the table.
 */
export function storedTimezone(name: string): string {
  if (!icuOnly.test(name)) return name;
  const [, hours] = /^SystemV\/[A-Z]{3}(\d+)$/i.exec(name) ?? [];
  if (hours !== undefined) return `Etc/GMT+${hours}`;
  const meant = resolved(name.replace(/^SystemV\//i, ''));
  return meant !== undefined && isTimezone(meant) ? meant : 'UTC';
}

/** Returns the name that `Intl` has for a time zone; `undefined` if it knows none. */
function resolved(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** Returns a formatter of local dates and offsets. It is kept, because creating one takes milliseconds. */
function dateFormat(timeZone: string): Intl.DateTimeFormat {
  let format = dateFormats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      timeZoneName: 'longOffset',
    });
    dateFormats.set(timeZone, format);
  }
  return format;
}

type DateParts = Readonly<Partial<Record<Intl.DateTimeFormatPartTypes, string>>>;

/** The time for which kept parts are valid: local dates and offsets change only at quarter hours of UTC. */
const quarterMs = 15 * minuteMs;
const mostKept = 200;
const keptParts = new Map<string, DateParts>();

function partsOf(timeZone: string, instant: number): DateParts {
  const key = `${timeZone} ${Math.floor(instant / quarterMs)}`;
  const kept = keptParts.get(key);
  if (kept) return kept;
  const parts = dateFormat(timeZone).formatToParts(instant);
  const found = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  if (keptParts.size >= mostKept) keptParts.clear();
  keptParts.set(key, found);
  return found;
}

/**
 * Returns the local date `YYYY-MM-DD` of an instant.
 *
 * @param instant epoch milliseconds
 * @throws RangeError if the runtime does not know the time zone
 */
export function dayIn(timeZone: string, instant: number): string {
  const { year, month, day } = partsOf(timeZone, instant);
  return `${year}-${month}-${day}`;
}

/**
 * Returns the end of an instant's local day: the first instant of the next day, in epoch milliseconds.
 *
 * @param instant epoch milliseconds
 * @throws RangeError if the runtime does not know the time zone
 */
export function endOfDayMs(timeZone: string, instant: number): number {
  const offset = offsetMs(timeZone, instant);
  const midnightWall = (Math.floor((instant + offset) / dayMs) + 1) * dayMs;
  // Clocks may change before midnight, so that it has another offset, or at midnight, so that it does not exist.
  const early = midnightWall - offset;
  const candidates = [early, midnightWall - offsetMs(timeZone, early)].toSorted((a, b) => a - b);
  const today = dayIn(timeZone, instant);
  return candidates.find((end) => dayIn(timeZone, end) !== today) ?? early;
}

/** Returns how far the zone's local time is ahead of UTC at an instant, in milliseconds; negative in America. */
function offsetMs(timeZone: string, instant: number): number {
  const { timeZoneName = '' } = partsOf(timeZone, instant);
  const [, sign, hours, minutes] = /GMT([+-])(\d{2}):(\d{2})/.exec(timeZoneName) ?? [];
  const total = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * minuteMs;
  return sign === '-' ? -total : total;
}
