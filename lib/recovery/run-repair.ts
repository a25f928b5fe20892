import { freeTime } from '../calendar/free.ts';
import { settlePlace } from '../daily-limits/settle.ts';
import { forgetNumbers } from '../insights/forget.ts';
import { noteLive } from '../insights/store.ts';
import type { Clock } from '../kernel/clock.ts';
import {
  countedAs,
  keepRepairTask,
  postponeRepairTask,
  type RepairTask,
  type RoutineName,
  removeRepairTask,
  repairTaskFromItem,
} from '../overdue/repair-tasks.ts';
import { Platform } from '../platforms/contract/names.ts';
import { rollUpPost } from '../posts/roll-up.ts';
import { indexPost } from '../posts/search/index-post.ts';
import { disproveLive } from '../publishing/disprove.ts';
import { discardMessage, messageOf, type PublishMessage, queueOf } from '../publishing/message.ts';
import { scheduleWake, type WakePorts } from '../publishing/wake.ts';
import { countLater } from '../punctuality/count.ts';
import { getItem } from '../table/items.ts';
import { targetKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { targetFromItem } from '../targets/item.ts';
import { claimLivePost, type LivePostRecord } from '../targets/live-posts.ts';
import { restoreOverdueKeys } from '../targets/store.ts';
import { lookAfterHeld, type NextLook } from './held-targets.ts';

export interface RepairPorts extends WakePorts {
  readonly table: Table;
  readonly now: Clock;
  readonly uniqueId: () => string;
}

/**
 * Runs a stored repair task and removes it, unless it must look again, or a worker must do it.
 *
 * @param item the task as stored
 * @param deadlineMs epoch milliseconds by which a long task must stop; it continues later
 * @returns the name under which it is counted
 * @throws the task's error, after postponing the task
 */
export async function runStoredRepair(
  ports: RepairPorts,
  item: Record<string, unknown>,
  deadlineMs: number,
): Promise<RoutineName | 'repairs'> {
  const { table, now } = ports;
  const stored = repairTaskFromItem(item);
  const { task, emptyLooks = 0 } = stored;
  let next: NextLook | undefined;
  try {
    if (task.kind === 'held targets')
      next = await lookAfterHeld(ports, task.scope, { emptyLooks, deadlineMs });
    else if (task.kind === 'forget numbers') {
      const isDone = await forgetNumbers(table, task, now, deadlineMs);
      if (!isDone) next = { delayMs: 0, emptyLooks: 0 };
    } else if (task.kind === 'discard upload') {
      // First: the worker removes the task on condition that it has not changed.
      await postponeRepairTask(table, stored, ports.now());
      await ports.enqueue(discardMessage(task.upload, stored.id), 0, 'upload');
      return countedAs(task);
    } else await runRepair(ports, task);
  } catch (error) {
    await postponeRepairTask(table, stored, now());
    throw error;
  }
  if (next) await keepRepairTask(table, stored, now(), next);
  else await removeRepairTask(table, stored);
  return countedAs(task);
}

async function runRepair(
  ports: RepairPorts,
  task: Exclude<RepairTask, { kind: 'held targets' | 'discard upload' | 'forget numbers' }>,
): Promise<void> {
  const { table, now } = ports;
  switch (task.kind) {
    case 'roll-up':
      return rollUpPost(table, task.workspaceId, task.postId, now());
    case 'index words':
      return indexPost(table, task);
    case 'free times':
      await Promise.all(task.times.map((time) => freeTime(table, time)));
      return;
    case 'settle places':
      for (const place of task.places) await settlePlace(table, place);
      return;
    case 'count punctuality':
      return countLater(table, task.count);
    case 'note live post':
      return claimOfEarlierRelease(table, task.livePost);
    case 'note numbers':
      return noteLive(table, { ...task.target, platform: Platform.parse(task.target.platform) }, now());
    case 'disproved claim':
      return disproveLive(ports, task.livePost);
    case 'schedule wake':
      return scheduleAgain(ports, task.wake);
  }
}

/** Claims a platform's post for a target, as an earlier release left to the sweep without the platform's name. */
async function claimOfEarlierRelease(table: Table, post: Omit<LivePostRecord, 'platform'>): Promise<void> {
  const item = await getItem(table, targetKey(post.workspaceId, post.postId, post.accountId));
  if (item) await claimLivePost(table, { ...post, platform: targetFromItem(item).platform });
}

/** Schedules the wake of a message if it is still current. */
async function scheduleAgain(ports: RepairPorts, message: PublishMessage): Promise<void> {
  const { workspaceId, postId, accountId, wakeNumber } = message;
  const item = await getItem(ports.table, targetKey(workspaceId, postId, accountId));
  const target = item && targetFromItem(item);
  if (target?.wakeAt === undefined || target.wakeNumber !== wakeNumber) return;
  await restoreOverdueKeys(ports.table, target);
  await scheduleWake(ports, messageOf(target), Date.parse(target.wakeAt), queueOf(target));
}
