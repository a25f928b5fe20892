import { dayMs, minuteMs } from '../kernel/clock.ts';

/** How far back a time still means "now", and how far ahead a post may be planned. */
export const pastToleranceMs = 10 * minuteMs;
export const longestAheadMs = 366 * dayMs;

/**
 * ISO 8601: date, `T` (or a space), hours and minutes; seconds, a fraction, and an offset may follow.
 * RFC 3339 section 5.6 is the strict part of it.
 */
const pattern =
  /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?<seconds>:\d{2}(?:[.,]\d{1,9})?)?(?<offset>[Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

/**
 * Reads `scheduledFor`. With an offset it is exact; without one it is the wall clock of `timezone`. Where clocks go
 * forward a wall time that does not exist is moved forward by the gap, and where they go back the first of the two is
 * meant (the rule of RFC 5545 and of Temporal's `compatible`).
 *
 * @returns epoch milliseconds; `undefined` where the text is no date and time
 */
export async function toEpochMs(text: string, timezone: string): Promise<number | undefined> {
  const match = pattern.exec(text);
  if (!match?.groups) return undefined;
  const { offset } = match.groups;
  const wall = (offset ? text.slice(0, -offset.length) : text).replace(/[t ]/, 'T').replace(',', '.');
  // The polyfill is loaded by the few requests that need a zone; the others do not pay for it.
  const { Temporal } = await import('temporal-polyfill');
  try {
    const local = Temporal.PlainDateTime.from(wall, { overflow: 'reject' });
    const zone = offset === undefined ? timezone : /^z$/i.test(offset) ? 'UTC' : withColon(offset);
    return local.toZonedDateTime(zone).epochMilliseconds;
  } catch {
    return undefined;
  }
}

/** `+0530` and `+05` are ISO 8601 as well; Temporal takes `+05:30`. */
function withColon(offset: string): string {
  const digits = offset.replace(':', '').padEnd(5, '0');
  return `${digits.slice(0, 3)}:${digits.slice(3)}`;
}

/** Why a post cannot be planned for this time; `undefined` where it can. Up to 10 minutes back means now. */
export function timeProblem(epochMs: number, now: number): string | undefined {
  if (epochMs < now - pastToleranceMs) return 'is in the past';
  if (epochMs > now + longestAheadMs) return 'is more than a year ahead';
  return undefined;
}

/** Whether the runtime's time zone data knows the name (IANA, such as `Europe/Istanbul`). */
export function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
