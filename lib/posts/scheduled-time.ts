import { dayMs, hourMs, minuteMs, secondMs } from '../kernel/clock.ts';

/** How far back a time still means "now", and how far ahead a post may be planned. */
export const pastToleranceMs = 10 * minuteMs;
export const longestAheadMs = 366 * dayMs;

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
export function toEpochMs(text: string, timezone: string): number | undefined {
  const { date, time, seconds = '00', fraction = '', offset } = pattern.exec(text)?.groups ?? {};
  if (!date || !time) return undefined;
  // A leap second is the last of its minute, as in Temporal.
  const wall = `${date}T${time}:${seconds === '60' ? '59' : seconds}`;
  const wallMs = Date.parse(`${wall}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
  // `Date` reads 30 February as 2 March.
  if (Number.isNaN(wallMs) || !new Date(wallMs).toISOString().startsWith(wall)) return undefined;
  return offset === undefined ? fromWallClock(wallMs, timezone) : wallMs - readOffset(offset);
}

/** `Z`, `+05`, `+0530` or `+05:30` in milliseconds. */
function readOffset(offset: string): number {
  const [hours = '0', minutes = '0'] = offset.slice(1).match(/\d\d/g) ?? [];
  return (offset.startsWith('-') ? -1 : 1) * (Number(hours) * hourMs + Number(minutes) * minuteMs);
}

/**
 * The instant at which the clocks of a time zone show a time.
 *
 * @param wallMs that time, as if it were in UTC
 */
function fromWallClock(wallMs: number, timezone: string): number | undefined {
  try {
    const offsetAt = openTimezone(timezone);
    // No clock is more than a day from UTC, and none changes twice within two days.
    const before = offsetAt(wallMs - dayMs);
    const after = offsetAt(wallMs + dayMs);
    const shownAfterChange = offsetAt(wallMs - before) !== before && offsetAt(wallMs - after) === after;
    return wallMs - (shownAfterChange ? after : before);
  } catch {
    return undefined;
  }
}

/**
 * How far a time zone is ahead of UTC at an instant, in milliseconds.
 *
 * @throws RangeError for an unknown time zone
 */
export function openTimezone(timezone: string): (epochMs: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' });
  return (epochMs) => {
    const name = format.formatToParts(epochMs).find(({ type }) => type === 'timeZoneName')?.value;
    // `GMT`, `GMT+05:30`, and with seconds where a zone kept its own noon: `GMT-04:56:02`.
    const [, sign, hours, minutes, seconds = '0'] =
      /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name ?? '') ?? [];
    const offsetMs =
      Number(hours ?? 0) * hourMs + Number(minutes ?? 0) * minuteMs + Number(seconds) * secondMs;
    return sign === '-' ? -offsetMs : offsetMs;
  };
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
