import { dayMs, secondMs } from '../kernel/clock.ts';
import { randomToken } from '../kernel/ids.ts';
import { unconditionally } from '../table/condition.ts';
import { calendarEntryKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { deletePart, putPart, type TransactionItems } from '../table/transaction.ts';
import type { Target } from '../targets/schemas.ts';

/**
 * The time for which a past entry stays on the calendar. Longer than the longest gap of automatic slots (a week),
 * because the gap also applies to posts that have gone out.
 */
const keptMs = 30 * dayMs;

/** Returns true if a target takes a time on its account's calendar. Drafts and failed targets do not. */
export function takesTime(target: Target): target is Target & { readonly scheduledFor: string } {
  return target.scheduledFor !== undefined && target.status !== 'draft' && target.status !== 'failed';
}

/** Returns the item for a target's time on its account's calendar. */
export function calendarEntryItem(
  target: Target & { readonly scheduledFor: string },
): Record<string, unknown> {
  const { postId, accountId, scheduledFor, autoKeyId } = target;
  return {
    ...calendarEntryKey(target),
    kind: 'calendarEntry',
    postId,
    accountId,
    ...(autoKeyId !== undefined && { autoKeyId }),
    /** A value that distinguishes this entry from a later one with the same key. */
    writeId: randomToken(12),
    expiresAtSeconds: Math.ceil((Date.parse(scheduledFor) + keptMs) / secondMs),
  };
}

/** The calendar writes for a change of a post's targets. */
export interface CalendarChanges {
  /** The targets with entries to write. */
  readonly taken: readonly (Target & { readonly scheduledFor: string })[];
  readonly puts: TransactionItems;
  readonly removals: TransactionItems;
}

/** Returns the calendar writes that replace one set of targets with another. Unchanged entries are not written. */
export function calendarChanges(
  table: Table,
  before: readonly Target[],
  after: readonly Target[],
): CalendarChanges {
  const nameOf = (target: Target & { scheduledFor: string }) => `${target.accountId} ${target.scheduledFor}`;
  const left = new Map(before.filter(takesTime).map((target) => [nameOf(target), target]));
  const taken = after.filter(takesTime).filter((target) => {
    const old = left.get(nameOf(target));
    left.delete(nameOf(target));
    return !old || old.autoKeyId !== target.autoKeyId;
  });
  return {
    taken,
    puts: taken.map((target) => putPart(table, calendarEntryItem(target), unconditionally)),
    removals: [...left.values()].map((target) =>
      deletePart(table, calendarEntryKey(target), unconditionally),
    ),
  };
}
