import { type CalendarChanges, calendarChanges } from '../../calendar/entries.ts';
import { freeTime, type TakenTime } from '../../calendar/free.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { tooManyImports } from '../../media/imports/open-import.ts';
import { awaitingPart, firstSweepAt } from '../../media/imports/records.ts';
import type { Media } from '../../media/schemas.ts';
import { importPart } from '../../media/store.ts';
import { openImportsAtRefusal, sharePart } from '../../media/workspace-share.ts';
import { putPrecaution } from '../../overdue/repair-tasks.ts';
import { batchPut } from '../../table/batch-write.ts';
import { unconditionally } from '../../table/condition.ts';
import type { Item } from '../../table/items.ts';
import { mediaUseKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import {
  putPart,
  type Refusal,
  type TransactionItems,
  type TransactionOutcome,
  transact,
} from '../../table/transaction.ts';
import { filesOf, type PostWithTargets } from './store.ts';

/** The maximum number of items in one DynamoDB transaction. */
export const maxTransactionItems = 100;

/** A file that a request names by a foreign URL. */
export interface ExternalFile {
  /** The first field that names it. */
  readonly field: string;
  /** The record that its import needs. */
  readonly media: Media;
}

/** A change of one post. */
export interface PostChange {
  /** The writes of the post itself, its targets and its idempotency record: at most 99 with an audit entry, otherwise 100. */
  readonly items: TransactionItems;
  /** The entry of the audit log, if a client asked for the change. It is in the transaction that writes the post. */
  readonly audit?: TransactionItems;
  /** The post as it was read; absent for a new one. */
  readonly before?: PostWithTargets;
  /** The post after the change; absent if it is deleted. */
  readonly after?: PostWithTargets;
  /** Writes that fail if another post has claimed a slot on the same accounts. */
  readonly claims?: TransactionItems;
  /** The files to import for the post. */
  readonly imports?: readonly ExternalFile[] | undefined;
}

export type PostCommit =
  | { readonly committed: true }
  /** `isSlotLost`: the only reason is that another post claimed a slot in the meantime. */
  | (Refusal & { readonly isSlotLost: boolean });

/**
 * Commits the writes of a post together with its targets' times on the calendars and the items by which its files find it. Uses
 * one transaction if all of it fits. If not (from about 33 destinations in an automatic slot, 50 otherwise), it writes in this
 * order:
 * 1. the records of files to import, which the sweep starts or removes when the post is stored or can no longer follow;
 * 2. the files' items, with the time of writing, so that for a while they count as a use without a post;
 * 3. if the rest is still too large, a repair task that frees the new times if the post is never written;
 * 4. the new times, with the claims;
 * 5. the post, and the task goes. The relay then frees the times that the post no longer uses.
 *
 * A crash in between can leave unused times on the calendar, but never a time that two posts use. The imports are counted in the
 * transaction that writes their records.
 *
 * @param now epoch milliseconds
 * @throws HeraldError `too_many_imports`; then nothing is written
 */
export async function commitPost(
  table: Table,
  now: number,
  { items, audit = [], before, after, claims = [], imports = [] }: PostChange,
): Promise<PostCommit> {
  const calendar = calendarChanges(table, before?.targets ?? [], after?.targets ?? []);
  const uses = after ? fileUseItems(after, before) : [];
  const usePuts = uses.map((item) => putPart(table, item, unconditionally));
  const rest = [...items, ...claims, ...calendar.puts, ...calendar.removals, ...audit];
  const importPuts = imports.map(({ media }) => importPart(table, media, firstSweepAt(now)));
  const counting = countingParts(table, imports);
  if (rest.length + uses.length + importPuts.length + counting.length <= maxTransactionItems) {
    const parts = [...rest, ...usePuts, ...importPuts, ...counting];
    return outcomeOf(await transactCounting(table, parts, imports), items);
  }
  await putAwaitingImports(table, imports, now);
  await batchPut(
    table,
    uses.map((item) => ({ ...item, writtenAt: toTimestamp(now) })),
  );
  if (rest.length <= maxTransactionItems) return outcomeOf(await transact(table, rest), items);
  return commitTimesFirst(table, now, { items, claims, audit }, calendar);
}

/** Returns the write that counts the open imports: the last one of its transaction, so that every other reason is found first. */
function countingParts(table: Table, imports: readonly ExternalFile[]): TransactionItems {
  const [first] = imports;
  return first ? [sharePart(table, first.media.workspaceId, { bytes: 0, imports: imports.length })] : [];
}

/** @throws HeraldError `too_many_imports` */
async function transactCounting(
  table: Table,
  parts: TransactionItems,
  imports: readonly ExternalFile[],
): Promise<TransactionOutcome> {
  const outcome = await transact(table, parts);
  const openImports = openImportsAtRefusal(outcome);
  if (openImports === undefined) return outcome;
  throw tooManyImports(
    openImports,
    imports.map(({ field }) => field),
  );
}

/**
 * Stores the records of imports. If the transaction is not committed, an earlier attempt of the same request has stored them,
 * because the ids are new.
 *
 * @throws HeraldError `too_many_imports`
 */
async function putAwaitingImports(
  table: Table,
  imports: readonly ExternalFile[],
  now: number,
): Promise<void> {
  if (imports.length === 0) return;
  const parts = imports.map(({ media }) => awaitingPart(table, media, now));
  await transactCounting(table, [...parts, ...countingParts(table, imports)], imports);
}

async function commitTimesFirst(
  table: Table,
  now: number,
  { items, claims, audit }: Readonly<Record<'items' | 'claims' | 'audit', TransactionItems>>,
  { taken, puts, removals }: CalendarChanges,
): Promise<PostCommit> {
  const freeing = { kind: 'free times', times: taken.map(timeOf) } as const;
  const removePrecaution = taken.length > 0 ? await putPrecaution(table, freeing, now) : undefined;
  const ahead = [...claims, ...puts];
  const claimed = ahead.length > 0 ? await transact(table, ahead) : undefined;
  if (claimed?.committed === false) {
    await removePrecaution?.();
    return { ...claimed, isSlotLost: true };
  }
  const post = [...items, ...audit];
  const fits = post.length + removals.length <= maxTransactionItems;
  const outcome = await transact(table, fits ? [...post, ...removals] : post);
  if (!outcome.committed) await Promise.all(taken.map((target) => freeTime(table, target)));
  await removePrecaution?.();
  return outcomeOf(outcome, items);
}

/**
 * Returns the items by which a file finds the posts that refer to it, for new references only. The items are never removed: to
 * decide whether a file is needed, `findMediaUsage` reads the posts themselves.
 */
function fileUseItems(after: PostWithTargets, before?: PostWithTargets): Item[] {
  const known = before ? filesOf(before) : new Set<string>();
  const { workspaceId, id } = after.post;
  return [...filesOf(after)]
    .filter((mediaId) => !known.has(mediaId))
    .map((mediaId) => ({ ...mediaUseKey(workspaceId, mediaId, id), kind: 'mediaUse', postId: id }));
}

/**
 * Converts the outcome of a post's transaction. The post's own writes come first in it, so the index of a failure shows whether a
 * claim failed.
 */
function outcomeOf(outcome: Awaited<ReturnType<typeof transact>>, items: TransactionItems): PostCommit {
  return outcome.committed ? outcome : { ...outcome, isSlotLost: outcome.failedIndex >= items.length };
}

const timeOf = ({ workspaceId, postId, accountId, scheduledFor }: TakenTime): TakenTime => ({
  workspaceId,
  postId,
  accountId,
  scheduledFor,
});
