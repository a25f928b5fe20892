import { dayMs, toTimestamp } from '../../kernel/clock.ts';
import { invalidField } from '../../kernel/errors.ts';
import { exactEpochMs } from '../request/scheduled-time.ts';

/** The longest period of one list: two calendar months. */
export const maxRangeDays = 62;
const maxRangeMs = maxRangeDays * dayMs;

/** A period as timestamps, whose text order is time order: its first and its last millisecond. */
export interface TimeRange {
  readonly first: string;
  readonly last: string;
}

/** Epoch milliseconds; `from` is part of the period, `to` is not. */
interface Bounds {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The range of timestamps with four digits for the year. */
const earliestMs = Date.parse('0000-01-01T00:00:00.000Z');
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Returns the period from `from` to `to`; `undefined` without both. If one is missing, the period has the maximum length. Pure.
 *
 * @throws HeraldError `range_empty` or `range_too_long`, both about `to`
 */
export function rangeOf({ from, to }: Bounds): TimeRange | undefined {
  if (from === undefined && to === undefined) return undefined;
  const fromMs = from ?? Math.max(earliestMs, (to ?? 0) - maxRangeMs);
  const toMs = to ?? Math.min(latestMs, fromMs + maxRangeMs);
  if (from !== undefined && to !== undefined) {
    if (toMs <= fromMs) throw invalidField('to', 'must be later than from', 'range_empty');
    if (toMs - fromMs > maxRangeMs)
      throw invalidField('to', `must be at most ${maxRangeDays} days after from`, 'range_too_long');
  }
  return { first: toTimestamp(fromMs), last: toTimestamp(Math.max(fromMs, toMs - 1)) };
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/;
/** A pattern for a `+` that the client did not encode, so that it arrives as a space (application/x-www-form-urlencoded). */
const spaceForPlus = /^(.*\d:\d{2}(?:[:.,\d]*)) (\d{2}(?::?\d{2})?)$/;

/**
 * Parses a bound of a period: a date and time with an offset (ISO 8601), or a date, which begins at midnight in UTC.
 *
 * @returns epoch milliseconds; `undefined` if it is neither
 */
export function toBoundMs(text: string): number | undefined {
  const full = datePattern.test(text) ? `${text}T00:00:00Z` : text.replace(spaceForPlus, '$1+$2');
  const epochMs = exactEpochMs(full);
  return epochMs !== undefined && epochMs >= earliestMs && epochMs <= latestMs ? epochMs : undefined;
}
