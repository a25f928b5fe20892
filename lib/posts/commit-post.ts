import { commitWithCalendar, mostTransactionItems } from '../calendar/commit.ts';
import type { CalendarChanges } from '../calendar/entries.ts';
import { batchPut } from '../table/batch-write.ts';
import { unconditionally } from '../table/condition.ts';
import type { Table } from '../table/table.ts';
import { putPart, type TransactionItems, type TransactionOutcome } from '../table/transaction.ts';
import { fileUsesAhead } from './file-uses.ts';

/**
 * Commits the writes of a post as {@link commitWithCalendar} does, and by what its files find it: in the same
 * transaction where they fit, else just ahead of it.
 *
 * @param now epoch milliseconds
 * @param uses items of `fileUseItems`
 */
export async function commitPost(
  table: Table,
  now: number,
  items: TransactionItems,
  changes: CalendarChanges,
  { uses, claims = [] }: { uses: readonly Record<string, unknown>[]; claims?: TransactionItems },
): Promise<TransactionOutcome> {
  const others = items.length + claims.length + changes.puts.length + changes.removals.length;
  if (others + uses.length <= mostTransactionItems) {
    const puts = uses.map((item) => putPart(table, item, unconditionally));
    return commitWithCalendar(table, now, items, changes, [...claims, ...puts]);
  }
  await batchPut(table, fileUsesAhead(uses, now));
  return commitWithCalendar(table, now, items, changes, claims);
}
