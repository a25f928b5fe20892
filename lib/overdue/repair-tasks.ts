import * as z from 'zod';
import { dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { sha256 } from '../kernel/ids.ts';
import { unconditionally } from '../table/condition.ts';
import { deleteItem, type Item, putItem, updateItem } from '../table/items.ts';
import { dueShard, repairTaskKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const TakenTime = z.object({
  workspaceId: z.string(),
  postId: z.string(),
  accountId: z.string(),
  scheduledFor: z.string(),
});
const PlaceName = z.object({
  workspaceId: z.string(),
  postId: z.string(),
  accountId: z.string(),
  platform: z.string(),
  day: z.string(),
  timeZone: z.string(),
});
const LivePostRecord = z.object({
  workspaceId: z.string(),
  accountId: z.string(),
  platformPostId: z.string(),
  postId: z.string(),
});

/** The lateness of a target that went live: `lateMs` in milliseconds, at the time `calledAt`. */
const PunctualityCount = z.object({
  workspaceId: z.string(),
  postId: z.string(),
  accountId: z.string(),
  platform: z.string(),
  calledAt: z.string(),
  lateMs: z.int(),
  /** The number of tries that it took, from 1; absent in tasks of earlier releases. */
  tries: z.int().optional(),
});
export type PunctualityCount = z.infer<typeof PunctualityCount>;

/** An upload at a platform, such as a private video, that no target publishes any more. */
const AbandonedUpload = z.object({
  workspaceId: z.string(),
  postId: z.string(),
  accountId: z.string(),
  platform: z.string(),
  /** The last preparation that referred to the upload, in the format of the platform's adapter. */
  preparation: z.record(z.string(), z.json()),
});
export type AbandonedUpload = z.infer<typeof AbandonedUpload>;

/** A target that has gone live. */
const NotedTarget = z.object({
  workspaceId: z.string(),
  postId: z.string(),
  accountId: z.string(),
  platform: z.string(),
  platformPostId: z.string(),
  publishedAt: z.string(),
  isStory: z.boolean(),
});

const TargetWake = z.object({
  workspaceId: z.string(),
  postId: z.string(),
  accountId: z.string(),
  wakeNumber: z.int(),
});

/** Work that the sweep must do later. Each task may run at any time, and more than once. */
export const RepairTask = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('roll-up'), workspaceId: z.string(), postId: z.string() }),
  /** Frees those of the times that no target uses. */
  z.object({ kind: z.literal('free times'), times: z.array(TakenTime) }),
  /** Writes or removes the places of a target in days of its platform's limit, according to its state at that time. */
  z.object({ kind: z.literal('settle places'), places: z.array(PlaceName) }),
  /** Counts a target that the relay could not count. Runs once: it removes itself. */
  z.object({ kind: z.literal('count punctuality'), count: PunctualityCount }),
  z.object({ kind: z.literal('note live post'), livePost: LivePostRecord }),
  /** Corrects a target that was taken for live because of a post that another target has made. */
  z.object({
    kind: z.literal('disproved claim'),
    livePost: LivePostRecord.extend({ platform: z.string() }),
  }),
  /** Schedules the wake of a target that still has this number. An earlier release stored no `wakeAt`. */
  z.object({ kind: z.literal('schedule wake'), wake: TargetWake, wakeAt: z.string().optional() }),
  /** Checks the targets that pauses of this scope hold, and releases them when there is no pause. */
  z.object({ kind: z.literal('held targets'), scope: z.string() }),
  /** Notes a target that has gone live, so that its numbers are read. */
  z.object({ kind: z.literal('note numbers'), target: NotedTarget }),
  /** Deletes the numbers of an account that was disconnected, up to that time. */
  z.object({
    kind: z.literal('forget numbers'),
    workspaceId: z.string(),
    accountId: z.string(),
    until: z.string(),
  }),
  /** Has the search find a post by its present words. */
  z.object({ kind: z.literal('index words'), workspaceId: z.string(), postId: z.string() }),
  /** Has a worker delete an upload that no target publishes any more. The worker removes the task. */
  z.object({ kind: z.literal('discard upload'), upload: AbandonedUpload }),
]);
export type RepairTask = z.infer<typeof RepairTask>;

/** The names under which the sweep counts the tasks that are part of its ordinary work. All others repair something that was lost. */
const routineNames = {
  'held targets': 'pauseLooks',
  'forget numbers': 'forgottenAccounts',
  'discard upload': 'discardedUploads',
} as const satisfies { readonly [Kind in RepairTask['kind']]?: string };
type RoutineKind = keyof typeof routineNames;
export type RoutineName = (typeof routineNames)[RoutineKind];
export const allRoutineNames: readonly RoutineName[] = Object.values(routineNames);

const isRoutineKind = (kind: string): kind is RoutineKind => Object.hasOwn(routineNames, kind);

/** Returns the name under which a task is counted. */
export const countedAs = ({ kind }: RepairTask): RoutineName | 'repairs' =>
  isRoutineKind(kind) ? routineNames[kind] : 'repairs';

/** A stored repair task. The table keeps its former name, `chore`. The index `overdue` finds it at its time. */
const StoredRepairTask = z
  .object({
    id: z.string(),
    /** The task as JSON text. */
    chore: z.string().transform((text) => RepairTask.parse(JSON.parse(text))),
    failures: z.int(),
    /** The number of looks in a row at which it found nothing to do; only for a task that must look again. */
    emptyLooks: z.int().optional(),
    dueAt: z.string(),
  })
  .transform(({ chore: task, ...stored }) => ({ ...stored, task }));
export type StoredRepairTask = z.infer<typeof StoredRepairTask>;

/** The default delay: longer than the time limit of every function that stores a task before it does the work itself. */
const repairDelayMs = 10 * minuteMs;
const growing = { baseMs: minuteMs, capMs: 6 * hourMs };

/**
 * The minimum time between the task that schedules a wake and the wake, whatever the task's backoff: the next sweep, at most a
 * minute and a quarter later, then sends a delayed message, without Scheduler.
 */
const wakeMarginMs = 150 * secondMs;

/** Returns the latest time to which a task is postponed, in epoch milliseconds; infinity for a task that can wait. */
export function latestTaskMs(task: RepairTask): number {
  return task.kind === 'schedule wake' && task.wakeAt !== undefined
    ? Date.parse(task.wakeAt) - wakeMarginMs
    : Number.POSITIVE_INFINITY;
}

/** The time for which a task is kept. A task that fails for so long will not succeed later. */
const keptMs = 30 * dayMs;

/**
 * Stores a task for the sweep. Idempotent: the same task has the same id.
 *
 * @param now epoch milliseconds
 * @param delayMs the time from now until the sweep runs it; by default ten minutes
 */
export async function putRepairTask(
  table: Table,
  task: RepairTask,
  now: number,
  delayMs: number = repairDelayMs,
): Promise<void> {
  await storeTask(table, repairTaskItem(task, now, delayMs));
}

const storeTask = (table: Table, item: Item) => putItem(table, item, unconditionally);

/**
 * Stores a task in case the work that follows is interrupted.
 *
 * @param now epoch milliseconds
 * @returns a function that removes it once the work is done. It never fails: a task that stays is harmless
 */
export async function putPrecaution(
  table: Table,
  task: RepairTask,
  now: number,
): Promise<() => Promise<void>> {
  const item = repairTaskItem(task, now, repairDelayMs);
  await storeTask(table, item);
  return () => removeRepairTask(table, item).catch(() => {});
}

/** Returns the item of a task, for a transaction that stores it. Replaces the same task. See {@link putRepairTask}. */
export function repairTaskItem(
  task: RepairTask,
  now: number,
  delayMs: number,
): Item & Pick<StoredRepairTask, 'id' | 'dueAt'> {
  const text = JSON.stringify(task);
  const id = sha256(text);
  return {
    ...repairTaskKey(id),
    kind: 'chore',
    id,
    chore: text,
    failures: 0,
    dueAt: toTimestamp(now + delayMs),
    dueShard: dueShard(postOf(task) ?? id),
    expiresAtSeconds: expiryOf(now),
  };
}

const expiryOf = (now: number): number => Math.ceil((now + keptMs) / secondMs);

/** Returns the post that a task is about. Its tasks are in its shard. */
function postOf(task: RepairTask): string | undefined {
  switch (task.kind) {
    case 'roll-up':
    case 'index words':
      return task.postId;
    case 'free times':
      return task.times[0]?.postId;
    case 'settle places':
      return task.places[0]?.postId;
    case 'note live post':
    case 'disproved claim':
      return task.livePost.postId;
    case 'count punctuality':
      return task.count.postId;
    case 'schedule wake':
      return task.wake.postId;
    case 'discard upload':
      return task.upload.postId;
    case 'note numbers':
      return task.target.postId;
    case 'held targets':
    case 'forget numbers':
      return undefined;
  }
}

/** @throws if the item is not a repair task */
export function repairTaskFromItem(item: Record<string, unknown>): StoredRepairTask {
  return StoredRepairTask.parse(item);
}

/** Removes a task that is done, unless the same task was stored again in the meantime. */
export async function removeRepairTask(
  table: Table,
  { id, dueAt }: Pick<StoredRepairTask, 'id' | 'dueAt'>,
): Promise<void> {
  await deleteItem(table, repairTaskKey(id), { dueAt });
}

/**
 * Keeps a task that must look again later, unless the same task was stored again in the meantime.
 *
 * @param now epoch milliseconds
 * @param delayMs the time from now until the sweep runs it again
 * @param emptyLooks the number of looks in a row at which it found nothing to do
 */
export async function keepRepairTask(
  table: Table,
  { id, dueAt }: StoredRepairTask,
  now: number,
  { delayMs, emptyLooks }: { readonly delayMs: number; readonly emptyLooks: number },
): Promise<void> {
  await updateItem(table, repairTaskKey(id), {
    set: { dueAt: toTimestamp(now + delayMs), failures: 0, emptyLooks, expiresAtSeconds: expiryOf(now) },
    if: { dueAt },
  });
}

/** Postpones a task that failed, with exponential backoff, but not beyond the time at which it is urgent. */
export async function postponeRepairTask(
  table: Table,
  { id, task, failures, dueAt }: StoredRepairTask,
  now: number,
): Promise<void> {
  await updateItem(table, repairTaskKey(id), {
    set: { dueAt: toTimestamp(now + backoffMs(task, failures, now)), failures: failures + 1 },
    if: { dueAt },
  });
}

function backoffMs(task: RepairTask, failures: number, now: number): number {
  const waitMs = Math.min(growing.capMs, growing.baseMs * 2 ** failures);
  const leftMs = latestTaskMs(task) - now;
  // If it is urgent already, only the queue has refused it.
  return leftMs > 0 ? Math.min(waitMs, leftMs) : Math.min(waitMs, growing.baseMs);
}
