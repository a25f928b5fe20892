import { freeTime } from '../calendar/free.ts';
import { settlePlace } from '../daily-limits/settle.ts';
import type { Clock } from '../kernel/clock.ts';
import {
  keepRepairTask,
  postponeRepairTask,
  type RepairTask,
  removeRepairTask,
  repairTaskFromItem,
} from '../overdue/repair-tasks.ts';
import { rollUpPost } from '../posts/roll-up.ts';
import {
  joinWakes,
  messageOf,
  type PublishMessage,
  queueOf,
  type WakeMessage,
  wakesOf,
} from '../publishing/message.ts';
import { scheduleWake, type WakePorts } from '../publishing/wake.ts';
import { countLater } from '../punctuality/count.ts';
import { getItem } from '../table/items.ts';
import { targetKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { targetFromItem } from '../targets/item.ts';
import { claimLivePost, type LivePostRecord } from '../targets/live-posts.ts';
import type { Target } from '../targets/schemas.ts';
import { restoreOverdueKeys } from '../targets/store.ts';
import { lookAfterHeld, type NextLook } from './held-targets.ts';

export interface RepairPorts extends WakePorts {
  readonly table: Table;
  readonly now: Clock;
  readonly uniqueId: () => string;
}

/**
 * Runs a stored repair task and removes it, unless it must look again.
 *
 * @param item the task as stored
 * @param deadlineMs epoch milliseconds by which a long task must stop; it continues later
 * @throws the task's error, after postponing the task
 */
export async function runStoredRepair(
  ports: RepairPorts,
  item: Record<string, unknown>,
  deadlineMs: number,
): Promise<void> {
  const { table, now } = ports;
  const stored = repairTaskFromItem(item);
  const { task, emptyLooks = 0 } = stored;
  let next: NextLook | undefined;
  try {
    if (task.kind === 'held targets')
      next = await lookAfterHeld(ports, task.scope, { emptyLooks, deadlineMs });
    else await runRepair(ports, task);
  } catch (error) {
    await postponeRepairTask(table, stored, now());
    throw error;
  }
  if (next) await keepRepairTask(table, stored, now(), next);
  else await removeRepairTask(table, stored);
}

async function runRepair(
  ports: RepairPorts,
  task: Exclude<RepairTask, { kind: 'held targets' }>,
): Promise<void> {
  const { table, now } = ports;
  switch (task.kind) {
    case 'roll-up':
      return rollUpPost(table, task.workspaceId, task.postId, now());
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
    case 'schedule wake':
      return scheduleAgain(ports, task.wake);
  }
}

/** Claims a platform's post for a target, as an earlier release left to the sweep without the platform's name. */
async function claimOfEarlierRelease(table: Table, post: Omit<LivePostRecord, 'platform'>): Promise<void> {
  const item = await getItem(table, targetKey(post.workspaceId, post.postId, post.accountId));
  if (item) await claimLivePost(table, { ...post, platform: targetFromItem(item).platform });
}

/** Schedules the wakes of a message that are still current. */
async function scheduleAgain(ports: RepairPorts, message: WakeMessage): Promise<void> {
  const found = await Promise.all(wakesOf(message).map((wake) => currentTarget(ports.table, wake)));
  const targets = found.flatMap((target) => target ?? []);
  await Promise.all(targets.map((target) => restoreOverdueKeys(ports.table, target)));
  const groups = Map.groupBy(targets, (target) => `${target.wakeAt} ${queueOf(target)}`);
  for (const group of groups.values()) {
    const [first] = group;
    if (first?.wakeAt === undefined) continue;
    for (const joined of joinWakes(group.map(messageOf)))
      await scheduleWake(ports, joined, Date.parse(first.wakeAt), queueOf(first));
  }
}

/** Returns the target of a wake; `undefined` if it has another wake by now. */
async function currentTarget(
  table: Table,
  { workspaceId, postId, accountId, wakeNumber }: PublishMessage,
): Promise<Target | undefined> {
  const item = await getItem(table, targetKey(workspaceId, postId, accountId));
  const target = item && targetFromItem(item);
  return target?.wakeAt !== undefined && target.wakeNumber === wakeNumber ? target : undefined;
}
