import type { Context } from '../api-contract/context.ts';
import { unsettledCall } from '../at-most-once/call-records.ts';
import { auditPart } from '../audit/record.ts';
import { calendarEntryItem } from '../calendar/entries.ts';
import { freeTime } from '../calendar/free.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { HeraldError } from '../kernel/errors.ts';
import { unconditionally } from '../table/condition.ts';
import { putItem } from '../table/items.ts';
import { postKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, transact, updatePart } from '../table/transaction.ts';
import { plus, removed } from '../table/update.ts';
import { readTagsOf } from '../tags/store.ts';
import { isTakenDown } from '../targets/removal.ts';
import type { Target } from '../targets/schemas.ts';
import { isLive } from '../targets/state.ts';
import { type TargetChanges, type TargetUpdate, targetUpdatePart } from '../targets/store.ts';
import { hasPartsLeft } from '../targets/thread.ts';
import { isHandled, type KeyUse, keyUse, withRequest } from './keyed-requests.ts';
import { readPost } from './read.ts';
import { scheduleCheckAfterRetry } from './stored/chain-checks.ts';
import { externalIdKeys } from './stored/external-id-items.ts';
import { type Post, subjectOf } from './stored/schemas.ts';
import type { PostWithTargets } from './stored/store.ts';
import type { DryRun } from './validate.ts';

interface RetryOptions {
  /** The client's key. A request whose key has retried the post before changes nothing. */
  readonly idempotencyKey?: string | undefined;
  /** Returns false for failed targets to leave out; default: none. */
  readonly isWanted?: (target: Target) => boolean;
}

/**
 * Retries the failed targets of a post, all or none, due now. A thread that is live in part continues with the next part. A target that failed ahead of its preparation keeps its time. If the outcome of a target's last call is unknown, its retry asks
 * the platform about that call once more. If the post is still not found, the retry is the person's decision to call again.
 *
 * @throws HeraldError `not_found`; `conflict` if no target has failed, if one was tried 200 times, if the key was used for another
 *   request, or if the post changes at the same time
 */
export async function retryPost(
  context: Context,
  postId: string,
  { idempotencyKey, isWanted = () => true }: RetryOptions = {},
): Promise<PostWithTargets> {
  const use = keyUse(idempotencyKey, 'retry');
  const { post, targets } = await readPost(context, postId);
  if (isHandled(targets, use, context.now)) return { post, targets };
  const { table, now } = context;
  const retries = retriesOf(context, targets.filter(isWanted), use);
  await scheduleCheckAfterRetry(table, post, now);
  // The times are taken first: a crash in between leaves an unused time, never a used one that the calendar does not show.
  const dues = retries.flatMap(({ due }) => due ?? []);
  await Promise.all(dues.map((due) => putItem(table, calendarEntryItem(due), unconditionally)));
  const parts = [...retries.map(({ part }) => part), ...keptAgain(table, post)];
  const outcome = await transact(table, [...parts, auditPart(context, subjectOf(post))]);
  if (!outcome.committed) {
    await Promise.all(dues.map((due) => freeTime(table, due)));
    const changed = await readPost(context, postId);
    if (isHandled(changed.targets, use, now)) return changed;
    throw new HeraldError('changed_concurrently', 'the post is being changed at the same time; try again');
  }
  return afterRetries({ post, targets }, retries);
}

/** Returns what {@link retryPost} would do. Stores nothing. @throws HeraldError as {@link retryPost} */
export async function dryRunRetry(context: Context, postId: string): Promise<DryRun> {
  const found = await readPost(context, postId);
  const retries = retriesOf(context, found.targets, undefined);
  const tags = await readTagsOf(context, [found.post]);
  return { ...afterRetries(found, retries), tags, problems: [], warnings: [] };
}

/** Returns the retries of the failed ones of these targets. @throws HeraldError `conflict` if none has failed, or one too often */
function retriesOf({ table, now }: Context, targets: readonly Target[], use: KeyUse | undefined): Retry[] {
  const wanted = targets.filter(isFailed);
  if (wanted.length === 0)
    throw new HeraldError('nothing_to_retry', 'no destination of this post has failed');
  if (wanted.some(({ calls = [] }) => calls.length >= maxCalls))
    throw new HeraldError(
      'retries_exhausted',
      'a destination was tried too often; create a new post instead',
    );
  return wanted.map((target) => retryOf(table, target, now, use));
}

function afterRetries({ post, targets }: PostWithTargets, retries: readonly Retry[]): PostWithTargets {
  const retried = new Map(retries.map(({ after }) => [after.accountId, after]));
  return { post, targets: targets.map((target) => retried.get(target.accountId) ?? target) };
}

/**
 * Returns the writes that restore a post that was going to expire, with its external id. The roll-up that follows restores the
 * rest.
 */
export function keptAgain(table: Table, post: Post): TransactionItems {
  const { workspaceId, id, expiresAtSeconds } = post;
  if (expiresAtSeconds === undefined) return [];
  const set = { expiresAtSeconds: removed };
  return [
    updatePart(table, postKey(workspaceId, id), {
      set: { ...set, version: plus(1) },
      if: { expiresAtSeconds },
    }),
    ...externalIdKeys(post).map((key) => updatePart(table, key, { set, if: { postId: id } })),
  ];
}

/** The maximum number of records of last calls. They are never removed, and DynamoDB limits an item to 400 KB. */
const maxCalls = 200;

/** True for a target that a retry can publish, or of whose thread it can publish the rest. Nothing that was taken down. */
const isFailed = (target: Target): boolean =>
  !isTakenDown(target) && (target.status === 'failed' || (isLive(target.status) && hasPartsLeft(target)));

/** `due` is absent for a thread that has begun: it keeps its time. */
type Retry = TargetUpdate & { readonly due?: DueTarget };

/**
 * Returns the retry of a target: due now, or still at its time if it failed before its preparation because a file could not be
 * converted.
 *
 * @param nowMs epoch milliseconds
 */
function retryOf(table: Table, target: Target, nowMs: number, use: KeyUse | undefined): Retry {
  const now = toTimestamp(nowMs);
  if (hasPartsLeft(target)) return continuationOf(table, target, nowMs, use);
  const { scheduledFor: askedFor = now, awaitsFiles } = target;
  const keepsTime = awaitsFiles !== undefined && askedFor > now;
  const scheduledFor = keepsTime ? askedFor : now;
  const { autoKeyId: _chosenBefore, ...rest } = target;
  const update = targetUpdatePart(table, target, {
    status: unsettledCall(target.calls) ? 'publishing' : 'scheduled',
    scheduledFor,
    isImmediate: keepsTime ? null : true,
    awaitsFiles: keepsTime ? { ...awaitsFiles, since: now } : null,
    autoKeyId: null,
    ...beginningAgain(target, nowMs, use),
  });
  return { ...update, due: { ...rest, scheduledFor } };
}

/** Returns the retry of a thread that is live in part: its next part is looked up or published. */
const continuationOf = (table: Table, target: Target, nowMs: number, use: KeyUse | undefined): Retry =>
  targetUpdatePart(table, target, { status: 'publishing', ...beginningAgain(target, nowMs, use) });

/** Returns the changes that every retry makes. */
function beginningAgain(target: Target, nowMs: number, use: KeyUse | undefined): TargetChanges {
  const now = toTimestamp(nowMs);
  return {
    retriedAt: now,
    wakeAt: now,
    failures: 0,
    firstFailureAt: null,
    limitedSince: null,
    limitedUntil: null,
    problem: null,
    ...withRequest(target, use, nowMs),
    // Records that an earlier release stored in other fields must still say that the outcome was reported as unknown.
    ...(unsettledCall(target.calls) ? { calls: target.calls } : { preparation: null }),
  };
}

type DueTarget = Target & { readonly scheduledFor: string };
