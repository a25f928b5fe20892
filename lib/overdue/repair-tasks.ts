import * as z from 'zod';
import { dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { sha256 } from '../kernel/ids.ts';
import { unconditionally } from '../table/condition.ts';
import { deleteItem, putItem, updateItem } from '../table/items.ts';
import { dueShard, repairTaskKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const TakenTime = z.object({
  workspaceId: z.string(),
  postId: z.string(),
  accountId: z.string(),
  scheduledFor: z.string(),
});
const LivePostRecord = z.object({
  workspaceId: z.string(),
  accountId: z.string(),
  platformPostId: z.string(),
  postId: z.string(),
});

/** Something that the sweep has to see to. Each may be done at any time, and again. */
export const RepairTask = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('roll-up'), workspaceId: z.string(), postId: z.string() }),
  /** As far as nobody uses them. */
  z.object({ kind: z.literal('free times'), times: z.array(TakenTime) }),
  z.object({ kind: z.literal('note live post'), livePost: LivePostRecord }),
]);
export type RepairTask = z.infer<typeof RepairTask>;

/** A repair task as the table keeps it, under its former name: found by the index `overdue` at its time. */
const StoredRepairTask = z
  .object({
    id: z.string(),
    /** As JSON text. */
    chore: z.string().transform((text) => RepairTask.parse(JSON.parse(text))),
    /** How often it failed. */
    failures: z.int(),
    dueAt: z.string(),
  })
  .transform(({ chore: task, ...stored }) => ({ ...stored, task }));
export type StoredRepairTask = z.infer<typeof StoredRepairTask>;

/** Longer than anything that writes a task ahead of its own work can live. */
const repairDelayMs = 10 * minuteMs;
const growing = { baseMs: 5 * minuteMs, capMs: 6 * hourMs };

/** What fails for so long will not succeed any more. */
const keptMs = 30 * dayMs;

/**
 * Has the sweep see to something ten minutes from now. The same task twice is one.
 *
 * @param now epoch milliseconds
 */
export async function putRepairTask(table: Table, task: RepairTask, now: number): Promise<void> {
  const text = JSON.stringify(task);
  const id = sha256(text);
  const item = {
    ...repairTaskKey(id),
    kind: 'chore',
    id,
    chore: text,
    failures: 0,
    dueAt: toTimestamp(now + repairDelayMs),
    dueShard: dueShard(id),
    expiresAtSeconds: Math.ceil((now + keptMs) / secondMs),
  };
  await putItem(table, item, unconditionally);
}

export function repairTaskFromItem(item: Record<string, unknown>): StoredRepairTask {
  return StoredRepairTask.parse(item);
}

/** Removes a task that is done; one that was put again meanwhile stays. */
export async function removeRepairTask(table: Table, { id, dueAt }: StoredRepairTask): Promise<void> {
  await deleteItem(table, repairTaskKey(id), { dueAt });
}

/** Puts off a task that failed, longer each time. */
export async function postponeRepairTask(
  table: Table,
  { id, failures, dueAt }: StoredRepairTask,
  now: number,
): Promise<void> {
  const waitMs = Math.min(growing.capMs, growing.baseMs * 2 ** failures);
  await updateItem(table, repairTaskKey(id), {
    set: { dueAt: toTimestamp(now + waitMs), failures: failures + 1 },
    if: { dueAt },
  });
}
