import { freeTime } from '../calendar/free.ts';
import {
  postponeRepairTask,
  type RepairTask,
  removeRepairTask,
  repairTaskFromItem,
} from '../overdue/repair-tasks.ts';
import { rollUpPost } from '../posts/roll-up.ts';
import type { Table } from '../table/table.ts';
import { noteLivePost } from '../targets/live-posts.ts';

/**
 * Runs a stored repair task and removes it.
 *
 * @param now epoch milliseconds
 * @throws the task's error, after postponing the task
 */
export async function runStoredRepair(
  table: Table,
  item: Record<string, unknown>,
  now: number,
): Promise<void> {
  const stored = repairTaskFromItem(item);
  try {
    await runRepair(table, stored.task, now);
  } catch (error) {
    await postponeRepairTask(table, stored, now);
    throw error;
  }
  await removeRepairTask(table, stored);
}

async function runRepair(table: Table, task: RepairTask, now: number): Promise<void> {
  switch (task.kind) {
    case 'roll-up':
      return rollUpPost(table, task.workspaceId, task.postId, now);
    case 'free times':
      await Promise.all(task.times.map((time) => freeTime(table, time)));
      return;
    case 'note live post':
      return noteLivePost(table, task.livePost);
  }
}
