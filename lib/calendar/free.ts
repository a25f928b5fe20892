import { deleteItem, getItem } from '../table/items.ts';
import { calendarEntryKey, targetKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { targetFromItem } from '../targets/item.ts';
import type { Target } from '../targets/schemas.ts';
import { takesTime } from './entries.ts';

/** A time that a target had on its account's calendar. */
export type TakenTime = Pick<Target, 'workspaceId' | 'postId' | 'accountId'> & {
  readonly scheduledFor: string;
};

/**
 * Frees a time that its target no longer uses. Idempotent, and safe at any later time. Reads the entry before the
 * target, and deletes only the entry that it read: if the target returned to this time, its new entry stays.
 */
export async function freeTime(table: Table, time: TakenTime): Promise<void> {
  const entryKey = calendarEntryKey(time);
  const entry = await getItem(table, entryKey);
  if (!entry) return;
  const item = await getItem(table, targetKey(time.workspaceId, time.postId, time.accountId));
  const target = item && targetFromItem(item);
  if (target && takesTime(target) && target.scheduledFor === time.scheduledFor) return;
  await deleteItem(table, entryKey, { writeId: entry['writeId'] });
}
