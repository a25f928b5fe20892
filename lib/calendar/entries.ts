import { dayMs, secondMs } from '../kernel/clock.ts';
import { randomToken } from '../kernel/ids.ts';
import { unconditionally } from '../table/condition.ts';
import { calendarEntryKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { deletePart, putPart, type TransactionItems } from '../table/transaction.ts';
import type { Target } from '../targets/schemas.ts';

/**
 * How long a time that has passed is remembered: longer than the longest gap that automatic slots keep (a week), which
 * is counted from what went out as well.
 */
const rememberedMs = 30 * dayMs;

/** Whether a target takes its time on its account's calendar. Drafts and failures leave theirs free. */
export function takesTime(target: Target): target is Target & { readonly scheduledFor: string } {
  return target.scheduledFor !== undefined && target.status !== 'draft' && target.status !== 'failed';
}

/** A target's time on the calendar of its account. */
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
    /** Tells this entry from a later one in its place. */
    writeId: randomToken(12),
    expiresAtSeconds: Math.ceil((Date.parse(scheduledFor) + rememberedMs) / secondMs),
  };
}

/** The writes that follow a post's targets on the calendars. */
export interface CalendarChanges {
  /** Entries that are written, with the targets they belong to. */
  readonly taken: readonly (Target & { readonly scheduledFor: string })[];
  readonly puts: TransactionItems;
  readonly removals: TransactionItems;
}

/** What changes on the calendars when targets take the place of others. What stays where it was is not written. */
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
