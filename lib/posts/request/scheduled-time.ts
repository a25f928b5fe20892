import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts';
import type { InvalidCode } from '../../kernel/error-codes.ts';

/** The time back that still means "now", and the maximum time ahead for a scheduled post. */
const pastToleranceMs = 10 * minuteMs;
const longestAheadMs = 366 * dayMs;

/**
 * A pattern for ISO 8601: date, `T` (or a space), hours and minutes; optionally seconds, a fraction and an offset. RFC 3339,
 * section 5.6, is its strict subset.
 */
const pattern =
  /^(?<date>\d{4}-\d{2}-\d{2})[Tt ](?<time>\d{2}:\d{2})(?::(?<seconds>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?(?<offset>[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/;

/**
 * Parses `scheduledFor`. With an offset the time is exact; without one it is local time in `timezone`. A local time that the
 * clocks skip moves forward by the gap. A local time that the clocks repeat means its first occurrence (RFC 5545, and
 * `compatible` in Temporal).
 *
 * @returns epoch milliseconds; `undefined` if the text is not a date and time, or the time zone is unknown
 */
export async function toEpochMs(text: string, timezone: string): Promise<number | undefined> {
  const parsed = parseTime(text);
  return typeof parsed === 'object' ? fromWallClock(parsed.wall, timezone) : parsed;
}

/** Parses a date and time with an offset, like {@link toEpochMs}. @returns epoch milliseconds; `undefined` for any other text */
export function exactEpochMs(text: string): number | undefined {
  const parsed = parseTime(text);
  return typeof parsed === 'object' ? undefined : parsed;
}

/** @returns epoch milliseconds; the local time if there is no offset; `undefined` if it is not a date and time */
function parseTime(text: string): number | { readonly wall: string } | undefined {
  const { date, time, seconds = '00', fraction = '', offset } = pattern.exec(text)?.groups ?? {};
  if (!date || !time) return undefined;
  // Treats a leap second as the last second of its minute, like Temporal.
  const wall = `${date}T${time}:${seconds === '60' ? '59' : seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const asUtcMs = Date.parse(`${wall}Z`);
  // `Date` reads 30 February as 2 March.
  if (Number.isNaN(asUtcMs) || new Date(asUtcMs).toISOString() !== `${wall}Z`) return undefined;
  return offset === undefined ? { wall } : asUtcMs - readOffset(offset);
}

/** Converts `Z`, `+05`, `+0530` or `+05:30` to milliseconds. */
function readOffset(offset: string): number {
  const [hours = '0', minutes = '0'] = offset.slice(1).match(/\d\d/g) ?? [];
  return (offset.startsWith('-') ? -1 : 1) * (Number(hours) * hourMs + Number(minutes) * minuteMs);
}

/** Returns the instant at which clocks in a time zone show this local time. */
async function fromWallClock(wall: string, timezone: string): Promise<number | undefined> {
  // Loaded lazily, so that requests with an offset do not pay for it.
  const { Temporal } = await import('temporal-polyfill');
  const local = Temporal.PlainDateTime.from(wall);
  try {
    return local.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds;
  } catch {
    return undefined;
  }
}

interface TimeProblem {
  readonly code: InvalidCode;
  readonly message: string;
}

/** Returns the reason that a post cannot be scheduled for this time; `undefined` if it can. Up to 10 minutes back means now. */
export function timeProblem(epochMs: number, now: number): TimeProblem | undefined {
  if (epochMs < now - pastToleranceMs) return { code: 'time_in_past', message: 'is in the past' };
  if (epochMs > now + longestAheadMs) return { code: 'time_too_far', message: 'is more than a year ahead' };
  return undefined;
}
