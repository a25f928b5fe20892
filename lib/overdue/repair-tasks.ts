import * as z from 'zod';
import { dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../kernel/clock.ts';
import { sha256 } from '../kernel/ids.ts';
import { unconditionally } from '../table/condition.ts';
import { deleteItem, putItem, updateItem } from '../table/items.ts';
import { choreKey, dueShard } from '../table/keys.ts';
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
export const Chore = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('roll-up'), workspaceId: z.string(), postId: z.string() }),
  /** As far as nobody uses them. */
  z.object({ kind: z.literal('free times'), times: z.array(TakenTime) }),
  z.object({ kind: z.literal('note live post'), livePost: LivePostRecord }),
]);
export type Chore = z.infer<typeof Chore>;

/** A chore as the table keeps it: found by the index `overdue` at its time. */
const StoredChore = z.object({
  id: z.string(),
  /** As JSON text. */
  chore: z.string().transform((text) => Chore.parse(JSON.parse(text))),
  /** How often it failed. */
  failures: z.int(),
  dueAt: z.string(),
});
export type StoredChore = z.infer<typeof StoredChore>;

/** Longer than anything that writes a chore ahead of its own work can live. */
const choreDelayMs = 10 * minuteMs;
const growing = { baseMs: 5 * minuteMs, capMs: 6 * hourMs };

/** What fails for so long will not succeed any more. */
const keptMs = 30 * dayMs;

/**
 * Has the sweep see to something ten minutes from now. The same chore twice is one.
 *
 * @param now epoch milliseconds
 */
export async function putChore(table: Table, chore: Chore, now: number): Promise<void> {
  const text = JSON.stringify(chore);
  const id = sha256(text);
  const item = {
    ...choreKey(id),
    kind: 'chore',
    id,
    chore: text,
    failures: 0,
    dueAt: toTimestamp(now + choreDelayMs),
    dueShard: dueShard(id),
    expiresAtSeconds: Math.ceil((now + keptMs) / secondMs),
  };
  await putItem(table, item, unconditionally);
}

export function choreFromItem(item: Record<string, unknown>): StoredChore {
  return StoredChore.parse(item);
}

/** Removes a chore that is done; one that was put again meanwhile stays. */
export async function removeChore(table: Table, { id, dueAt }: StoredChore): Promise<void> {
  await deleteItem(table, choreKey(id), { dueAt });
}

/** Leaves a chore that failed for later, ever longer. */
export async function postponeChore(
  table: Table,
  { id, failures, dueAt }: StoredChore,
  now: number,
): Promise<void> {
  const waitMs = Math.min(growing.capMs, growing.baseMs * 2 ** failures);
  await updateItem(table, choreKey(id), {
    set: { dueAt: toTimestamp(now + waitMs), failures: failures + 1 },
    if: { dueAt },
  });
}
