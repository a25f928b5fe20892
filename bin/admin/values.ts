/** Readers of the values that people type as words and options of a command. */
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../lib/kernel/clock.ts';
import { invalidField } from '../../lib/kernel/errors.ts';
import { type Platform, platformNames } from '../../lib/platforms/contract/names.ts';

/**
 * Reads a typed value. Pure.
 *
 * @param name the name of the word or option, for the message
 * @throws HeraldError `invalid`
 */
export type Read<Value> = (name: string, text: string) => Value;

/** Returns a reader of a whole number from 1. */
export const countTo =
  (most: number): Read<number> =>
  (name, text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (count < 1 || count > most) throw invalidField(name, `must be a whole number from 1 to ${most}`);
    return count;
  };

/** Returns a reader of one of these names. */
export const oneOf =
  <const Name extends string>(names: readonly Name[]): Read<Name> =>
  (name, text) => {
    const known = names.find((each) => each === text);
    if (known !== undefined) return known;
    throw invalidField(
      name,
      names.length === 2 ? `must be ${names.join(' or ')}` : `must be one of ${names.join(', ')}`,
    );
  };

export const readPlatform: Read<Platform> = oneOf(platformNames);

/** Reads a list such as `read,publish`. */
export const readList: Read<string[]> = (_, text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const powers: Readonly<Record<string, number>> = { '': 0, KB: 1, MB: 2, GB: 3, TB: 4 };

/** Reads a size such as `50GB`. Returns bytes. */
export const readSize: Read<number> = (name, text) => {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([KMGT]?B)?$/i.exec(text.trim()) ?? [];
  const power = powers[unit.toUpperCase() === 'B' ? '' : unit.toUpperCase()];
  if (digits === undefined || power === undefined)
    throw invalidField(name, 'must be a size, such as 500MB, 10GB or a number of bytes');
  return Math.round(Number(digits) * 1024 ** power);
};

const unitMs: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs };

/** Reads a duration such as `30m`, `24h` or `7d`. Returns milliseconds. */
export const readDurationMs: Read<number> = (name, text) => {
  const durationMs = durationMsOf(text);
  if (durationMs === undefined) throw invalidField(name, 'must be a duration, such as 30m, 24h or 7d');
  return durationMs;
};

/** Returns a reader of a duration of at most `most`, such as `7d`. */
export const durationMsTo =
  (most: string): Read<number> =>
  (name, text) => {
    const durationMs = readDurationMs(name, text);
    if (durationMs > readDurationMs(name, most)) throw invalidField(name, `may be at most ${most}`);
    return durationMs;
  };

/** A moment that may be relative. Returns its timestamp, given the present in epoch milliseconds. */
export type Moment = (now: number) => string;

/** Reads a moment: a day (its beginning in UTC), a date and time with an offset, or a duration from now, such as `90d`. */
export const readMoment: Read<Moment> = (name, text) => {
  const durationMs = durationMsOf(text);
  if (durationMs !== undefined) return (now) => toTimestamp(now + durationMs);
  const isMoment = /^\d{4}-\d\d-\d\d(T.+(Z|[+-]\d\d:\d\d))?$/.test(text);
  const epochMs = isMoment ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(epochMs) || !isOnCalendar(text))
    throw invalidField(name, 'must be a day (2027-01-01), a time (2027-01-01T08:00:00Z) or a duration (90d)');
  return () => toTimestamp(epochMs);
};

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
