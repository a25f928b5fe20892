import { type CalendarChanges, calendarChanges } from '../calendar/entries.ts';
import { freeTime, type TakenTime } from '../calendar/free.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { putRepairTask } from '../overdue/repair-tasks.ts';
import { batchPut } from '../table/batch-write.ts';
import { unconditionally } from '../table/condition.ts';
import type { Item } from '../table/items.ts';
import { mediaUseKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { putPart, type Refusal, type TransactionItems, transact } from '../table/transaction.ts';
import type { PostWithTargets } from './store.ts';

/** What DynamoDB writes in one transaction. */
export const mostTransactionItems = 100;

/** The change of one post. */
export interface PostChange {
  /** The writes of the post itself, its targets and its idempotency record: at most 100. */
  readonly items: TransactionItems;
  /** As it was read; absent for a new one. */
  readonly before?: PostWithTargets;
  /** As it is to be; absent if it is deleted. */
  readonly after?: PostWithTargets;
  /** Writes by which a slot is held against others who are choosing one. */
  readonly claims?: TransactionItems;
}

export type PostCommit =
  | { readonly committed: true }
  /** `isSlotLost`: only because another has claimed a slot meanwhile. */
  | (Refusal & { readonly isSlotLost: boolean });

/**
 * Commits the writes of a post with what follows from them: its targets' times on the calendars, and the items by which
 * its files find it. In one transaction if they fit. If not (some 33 destinations in an automatic slot, 50 in any), in
 * this order:
 * 1. what its files find it by, with the time, so that it counts as a use for a while whatever the post says;
 * 2. if the rest is still too much, a repair task that frees its new times in case the post never comes to be;
 * 3. its new times, with the claims;
 * 4. the post. Times that it left are freed by what this commit sets off.
 *
 * A crash in between leaves times taken that nobody uses, never one that two posts use.
 *
 * @param now epoch milliseconds
 */
export async function commitPost(
  table: Table,
  now: number,
  { items, before, after, claims = [] }: PostChange,
): Promise<PostCommit> {
  const calendar = calendarChanges(table, before?.targets ?? [], after?.targets ?? []);
  const uses = after ? fileUseItems(after, before) : [];
  const usePuts = uses.map((item) => putPart(table, item, unconditionally));
  const rest = [...items, ...claims, ...calendar.puts, ...calendar.removals];
  if (rest.length + uses.length <= mostTransactionItems)
    return outcomeOf(await transact(table, [...rest, ...usePuts]), items);
  await batchPut(
    table,
    uses.map((item) => ({ ...item, writtenAt: toTimestamp(now) })),
  );
  if (rest.length <= mostTransactionItems) return outcomeOf(await transact(table, rest), items);
  return commitTimesFirst(table, now, items, claims, calendar);
}

async function commitTimesFirst(
  table: Table,
  now: number,
  items: TransactionItems,
  claims: TransactionItems,
  { taken, puts, removals }: CalendarChanges,
): Promise<PostCommit> {
  if (taken.length > 0) await putRepairTask(table, { kind: 'free times', times: taken.map(timeOf) }, now);
  const ahead = [...claims, ...puts];
  const claimed = ahead.length > 0 ? await transact(table, ahead) : undefined;
  if (claimed?.committed === false) return { ...claimed, isSlotLost: true };
  const fits = items.length + removals.length <= mostTransactionItems;
  const outcome = await transact(table, fits ? [...items, ...removals] : items);
  if (!outcome.committed) await Promise.all(taken.map((target) => freeTime(table, target)));
  return outcomeOf(outcome, items);
}

/**
 * The items by which a file finds the posts that refer to it, for those that the post did not refer to before. They are
 * never taken back: who asks what needs a file reads the posts themselves.
 */
function fileUseItems(after: PostWithTargets, before?: PostWithTargets): Item[] {
  const known = before ? filesOf(before) : new Set<string>();
  const { workspaceId, id } = after.post;
  return [...filesOf(after)]
    .filter((mediaId) => !known.has(mediaId))
    .map((mediaId) => ({ ...mediaUseKey(workspaceId, mediaId, id), kind: 'mediaUse', postId: id }));
}

/** Every file that a post, its destinations and its chain refer to, each once. */
function filesOf({ post, targets }: PostWithTargets): Set<string> {
  const references = [
    ...post.mediaItems,
    ...(post.cover ? [post.cover] : []),
    ...targets.flatMap(({ mediaItems = [] }) => mediaItems),
    ...(post.chain ?? []).flatMap(({ mediaItems = [] }) => mediaItems),
  ];
  return new Set(references.map(({ mediaId }) => mediaId));
}

/** The post's own writes stand first in its transaction. */
function outcomeOf(outcome: Awaited<ReturnType<typeof transact>>, items: TransactionItems): PostCommit {
  return outcome.committed ? outcome : { ...outcome, isSlotLost: outcome.failedIndex >= items.length };
}

const timeOf = ({ workspaceId, postId, accountId, scheduledFor }: TakenTime): TakenTime => ({
  workspaceId,
  postId,
  accountId,
  scheduledFor,
});
