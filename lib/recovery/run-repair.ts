import { freeTime } from '../calendar/free.ts';
import { type Chore, choreFromItem, postponeChore, removeChore } from '../overdue/repair-tasks.ts';
import { rollUpPost } from '../posts/roll-up.ts';
import type { Table } from '../table/table.ts';
import { noteLivePost } from '../targets/live-posts.ts';

/**
 * Does a stored chore and removes it.
 *
 * @param now epoch milliseconds
 * @throws what went wrong, once the chore is left for later
 */
export async function doStoredChore(table: Table, item: Record<string, unknown>, now: number): Promise<void> {
  const stored = choreFromItem(item);
  try {
    await doChore(table, stored.chore, now);
  } catch (error) {
    await postponeChore(table, stored, now);
    throw error;
  }
  await removeChore(table, stored);
}

async function doChore(table: Table, chore: Chore, now: number): Promise<void> {
  switch (chore.kind) {
    case 'roll-up':
      return rollUpPost(table, chore.workspaceId, chore.postId, now);
    case 'free times':
      await Promise.all(chore.times.map((time) => freeTime(table, time)));
      return;
    case 'note live post':
      return noteLivePost(table, chore.livePost);
  }
}
