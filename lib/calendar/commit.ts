import { putChore } from '../overdue/repair-tasks.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, type TransactionOutcome, transact } from '../table/transaction.ts';
import type { CalendarChanges } from './entries.ts';
import { freeTime, type TakenTime } from './free.ts';

/** What DynamoDB writes in one transaction. */
export const mostTransactionItems = 100;

/**
 * Commits the writes of a post together with what they change on the calendars. Where that is more than one
 * transaction holds (posts with some 33 destinations in an automatic slot, 50 in any), its times are taken first and
 * the post is written after that; times that were left are freed by what the commit sets off. A crash in between leaves
 * times taken that nobody uses, never one that two posts use; ahead of all the sweep is asked to look after them.
 *
 * @param now epoch milliseconds
 * @param postItems at most 100 writes
 * @param claims writes by which a slot is held against others who are choosing one
 * @returns a `failedIndex` beyond the post's own writes means that another has claimed a slot meanwhile
 */
export async function commitWithCalendar(
  table: Table,
  now: number,
  postItems: TransactionItems,
  { taken, puts, removals }: CalendarChanges,
  claims: TransactionItems = [],
): Promise<TransactionOutcome> {
  const all = [...postItems, ...claims, ...puts, ...removals];
  if (all.length <= mostTransactionItems) return transact(table, all);
  const ahead = [...claims, ...puts];
  if (taken.length > 0) await putChore(table, { kind: 'free times', times: taken.map(timeOf) }, now);
  const claimed = ahead.length > 0 ? await transact(table, ahead) : undefined;
  if (claimed?.committed === false)
    return { ...claimed, failedIndex: postItems.length + claimed.failedIndex };
  const fits = postItems.length + removals.length <= mostTransactionItems;
  const outcome = await transact(table, fits ? [...postItems, ...removals] : postItems);
  if (!outcome.committed) await Promise.all(taken.map((target) => freeTime(table, target)));
  return outcome;
}

const timeOf = ({ workspaceId, postId, accountId, scheduledFor }: TakenTime): TakenTime => ({
  workspaceId,
  postId,
  accountId,
  scheduledFor,
});
