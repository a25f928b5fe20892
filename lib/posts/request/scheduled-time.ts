import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts';

/** How far back a time still means "now", and how far ahead a post may be planned. */
const pastToleranceMs = 10 * minuteMs;
const longestAheadMs = 366 * dayMs;

/**
 * ISO 8601: date, `T` (or a space), hours and minutes; seconds, a fraction, and an offset may follow.
 * RFC 3339 section 5.6 is the strict part of it.
 */
const pattern =
  /^(?<date>\d{4}-\d{2}-\d{2})[Tt ](?<time>\d{2}:\d{2})(?::(?<seconds>\d{2})(?:[.,](?<fraction>\d{1,9}))?)?(?<offset>[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/;

/**
 * Reads `scheduledFor`. With an offset it is exact; without one it is the wall clock of `timezone`. Where clocks go
 * forward a wall time that does not exist is moved forward by the gap, and where they go back the first of the two is
 * meant (the rule of RFC 5545 and of Temporal's `compatible`).
 *
 * @returns epoch milliseconds; `undefined` where the text is no date and time, or the time zone is unknown
 */
export async function toEpochMs(text: string, timezone: string): Promise<number | undefined> {
  const { date, time, seconds = '00', fraction = '', offset } = pattern.exec(text)?.groups ?? {};
  if (!date || !time) return undefined;
  // A leap second is the last of its minute, as in Temporal.
  const wall = `${date}T${time}:${seconds === '60' ? '59' : seconds}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const asUtcMs = Date.parse(`${wall}Z`);
  // `Date` reads 30 February as 2 March.
  if (Number.isNaN(asUtcMs) || new Date(asUtcMs).toISOString() !== `${wall}Z`) return undefined;
  return offset === undefined ? fromWallClock(wall, timezone) : asUtcMs - readOffset(offset);
}

/** `Z`, `+05`, `+0530` or `+05:30` in milliseconds. */
function readOffset(offset: string): number {
  const [hours = '0', minutes = '0'] = offset.slice(1).match(/\d\d/g) ?? [];
  return (offset.startsWith('-') ? -1 : 1) * (Number(hours) * hourMs + Number(minutes) * minuteMs);
}

/** The instant at which the clocks of a time zone show a time. */
async function fromWallClock(wall: string, timezone: string): Promise<number | undefined> {
  // Loaded by the requests that name no offset; the others do not pay for it.
  const { Temporal } = await import('temporal-polyfill');
  const local = Temporal.PlainDateTime.from(wall);
  try {
    return local.toZonedDateTime(timezone, { disambiguation: 'compatible' }).epochMilliseconds;
  } catch {
    return undefined;
  }
}

/** Why a post cannot be planned for this time; `undefined` where it can. Up to 10 minutes back means now. */
export function timeProblem(epochMs: number, now: number): string | undefined {
  if (epochMs < now - pastToleranceMs) return 'is in the past';
  if (epochMs > now + longestAheadMs) return 'is more than a year ahead';
  return undefined;
}
