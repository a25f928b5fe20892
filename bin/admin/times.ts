import { dayMs, hourMs, minuteMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { invalidField } from '../../lib/kernel/errors.ts';

const unitMs: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs };

/**
 * Reads a duration such as `30m`, `24h` or `7d`.
 *
 * @param option the name of the option, for the message
 * @returns milliseconds
 * @throws HeraldError `invalid`
 */
export function readDurationMs(option: string, text: string): number {
  const durationMs = durationMsOf(text);
  if (durationMs === undefined) throw invalidField(option, 'must be a duration, such as 30m, 24h or 7d');
  return durationMs;
}

/**
 * Reads a moment: a day (its beginning in UTC), a date and time with an offset, or a duration from now, such as `90d`.
 *
 * @param now epoch milliseconds
 * @returns a timestamp
 * @throws HeraldError `invalid`
 */
export function readMoment(option: string, text: string, now: number): string {
  const durationMs = durationMsOf(text);
  if (durationMs !== undefined) return toTimestamp(now + durationMs);
  const isMoment = /^\d{4}-\d\d-\d\d(T.+(Z|[+-]\d\d:\d\d))?$/.test(text);
  const epochMs = isMoment ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(epochMs) || !isOnCalendar(text))
    throw invalidField(
      option,
      'must be a day (2027-01-01), a time (2027-01-01T08:00:00Z) or a duration (90d)',
    );
  return toTimestamp(epochMs);
}

/** Returns true if the day exists: `Date.parse` turns 30 February into 2 March. */
function isOnCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  return toTimestamp(Date.parse(day)).startsWith(day);
}

function durationMsOf(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const each = unitMs[unit];
  return digits === undefined || each === undefined ? undefined : Number(digits) * each;
}
