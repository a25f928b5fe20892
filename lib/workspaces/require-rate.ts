import { invalidField } from '../kernel/errors.ts';

/**
 * The highest limit that can be counted: every request writes the same counter, and one item takes 1,000 writes per second.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
const maxRatePerMinute = 60_000;

/** @throws HeraldError `invalid` for an invalid limit; `undefined` means no limit and is allowed */
export function requireRate(ratePerMinute: number | undefined): void {
  if (ratePerMinute === undefined) return;
  if (!Number.isInteger(ratePerMinute) || ratePerMinute < 1 || ratePerMinute > maxRatePerMinute)
    throw invalidField('rate limit', 'must be a whole number of requests per minute, from 1 to 60,000');
}
