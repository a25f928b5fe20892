import { dayMs } from '../kernel/clock.ts';
import { invalidField } from '../kernel/errors.ts';
import { toBoundMs } from '../posts/list/range.ts';

/** The longest period of one request: three calendar months. */
export const maxPeriodDays = 92;

const usualDays = 28;

export const toBound = toBoundMs;

/** A period in epoch milliseconds. `toMs` is not part of it. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Returns the period from `from` to `to`. If one is missing, it has the usual length; without both, it ends now. Pure.
 *
 * @throws HeraldError `range_empty` or `range_too_long`, both about `to`
 */
export function periodOf(
  { from, to }: { readonly from?: number | undefined; readonly to?: number | undefined },
  now: number,
): Period {
  const toMs = to ?? (from === undefined ? now : Math.min(now, from + maxPeriodDays * dayMs));
  const fromMs = from ?? toMs - usualDays * dayMs;
  if (toMs <= fromMs)
    throw invalidField('to', 'must be later than from, and from in the past', 'range_empty');
  if (toMs - fromMs > maxPeriodDays * dayMs)
    throw invalidField('to', `must be at most ${maxPeriodDays} days after from`, 'range_too_long');
  return { fromMs, toMs };
}
