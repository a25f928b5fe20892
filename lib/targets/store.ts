import { toTimestamp } from '../kernel/clock.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import { absent } from '../table/condition.ts';
import { isTransactionConflict, updateItem } from '../table/items.ts';
import { heldShard, targetKey } from '../table/keys.ts';
import { LeaseLostError } from '../table/lease.ts';
import type { Table } from '../table/table.ts';
import { type TransactionItems, transact, updatePart } from '../table/transaction.ts';
import { type ItemUpdate, removed, removingNulls, removingUndefined } from '../table/update.ts';
import { targetFromItem } from './item.ts';
import { livePostClaim } from './live-posts.ts';
import { type Problem, problemFields } from './problem.ts';
import { Target } from './schemas.ts';
import { targetLifeCycle } from './state.ts';
import { platformPostIdsOf } from './thread.ts';
import { failedKeys, hasOverdueKeys, nextWake, overdueKeys } from './wake.ts';

/** New values of a target's fields; `null` removes a field. A new `wakeAt` also sets the wake's number. */
export type TargetChanges = {
  readonly [Name in keyof Omit<Target, DerivedField>]?: Target[Name] | null;
} & {
  /** Sets or removes `error` and `errorDetail`. */
  readonly problem?: Problem | null;
  /** The time of its failure, as a timestamp by which operators find it. Only together with no next wake. */
  readonly failedAt?: string;
  /** True if the platform's post was claimed before, by {@link claimForCertain}. */
  readonly isClaimed?: boolean;
};

/** The target's key, and the fields that follow from its lease, from `wakeAt` and from `problem`. */
type DerivedField =
  | 'workspaceId'
  | 'postId'
  | 'accountId'
  | 'attempt'
  | 'wakeNumber'
  | 'dueAt'
  | 'dueShard'
  | 'expiresAtSeconds'
  | 'error'
  | 'errorDetail';

/** The error that another target has claimed the platform's post. Nothing was written. */
export class PostTakenError extends Error {
  override readonly name = 'PostTakenError';
}

/** The hold of a target by a pause: its place in the index `overdue`. */
export interface Hold {
  readonly scope: string;
  /** The due time of the target, as a timestamp. */
  readonly dueAt: string;
}

/** A change of a held target that is not written yet. */
export interface TargetUpdate {
  readonly part: TransactionItems[number];
  /** The target after the change. */
  readonly after: Target;
}

/**
 * Returns the part of a transaction that changes a held target as {@link updateTarget} does. Neither claims the platform's post
 * nor counts its lateness.
 *
 * @throws ForbiddenMoveError if the life cycle does not allow the new status
 */
export function targetUpdatePart(table: Table, held: Target, changes: TargetChanges): TargetUpdate {
  const { update, after } = targetUpdate(held, changes);
  return { part: updatePart(table, keyOf(held), update), after: after() };
}

/**
 * Commits a change of a held target. The write is conditional on the fencing token, the wake number and the old state. A
 * new wake, or `null` for none, ends the lease. Any other change keeps it. A change that sets the platform's post id also
 * claims that post in the same transaction, unless that was done before.
 *
 * @param hold holds the target until its pause ends; only with a new wake
 * @throws LeaseLostError if one of these conditions fails
 * @throws PostTakenError if another target has claimed the platform's post
 * @throws ForbiddenMoveError if the life cycle does not allow the new status
 */
export async function updateTarget(
  table: Table,
  held: Target,
  changes: TargetChanges,
  writeId: string,
  hold?: Hold,
): Promise<Target> {
  const { workspaceId, postId, accountId } = held;
  const platformPostId = newPostId(held, changes);
  const { update, after } = targetUpdate(held, changes, hold);
  const key = keyOf(held);
  const lost = () => new LeaseLostError(`target ${accountId} of post ${postId} was taken or changed`);
  if (platformPostId === undefined || changes.isClaimed) {
    const outcome = await updateItem(table, key, update, writeId);
    if (!outcome.written) throw lost();
    return targetFromItem(outcome.item);
  }
  const parts = [
    // A transaction recognizes itself by its token.
    updatePart(table, key, { ...update, set: { ...update.set, writeId: removed } }),
    livePostClaim(table, { platform: held.platform, platformPostId, workspaceId, postId, accountId }),
  ];
  const outcome = await transact(table, parts);
  if (!outcome.committed) {
    if (outcome.failedIndex === 0) throw lost();
    throw new PostTakenError(`another destination has claimed the platform's post ${platformPostId}`);
  }
  return after();
}

/** Returns the id of the platform's post that a change adds. No change adds two. */
function newPostId(held: Target, { platformPostId, parts }: TargetChanges): string | undefined {
  const known = platformPostIdsOf(held);
  return [platformPostId, ...(parts ?? []).map((part) => part.platformPostId)].find(
    (id) => typeof id === 'string' && !known.includes(id),
  ) as string | undefined;
}

/**
 * Returns the update of a held target, on condition that nobody has taken or changed it, and a function that returns the target
 * after it.
 */
function targetUpdate(
  held: Target,
  { problem, failedAt, isClaimed: _isClaimed, ...changes }: TargetChanges,
  hold?: Hold,
): { readonly update: ItemUpdate; readonly after: () => Target } {
  const { attempt, status, wakeNumber } = held;
  const newStatus = changes.status ?? status;
  requireMove('target', targetLifeCycle, status, newStatus);
  const { wakeAt } = changes;
  // The next roll-up gives it a new time of expiry, and its claim of the platform's post too.
  const isKeptAgain = held.expiresAtSeconds !== undefined && newStatus !== status;
  // Only people change a target that stays failed, wholly or in part. It has no lease: the number tells the second of two that it is
  // late.
  const isOver = status === 'failed' || status === 'partial';
  const staying = isOver && newStatus === status ? { wakeNumber: wakeNumber + 1 } : {};
  const released = wakeAt !== undefined && {
    ...nextWake(held, wakeAt),
    ...(failedAt !== undefined && failedKeys(held, failedAt)),
    ...(hold && { dueAt: hold.dueAt, dueShard: heldShard(hold.scope, held.postId) }),
    leaseUntil: null,
    takes: null,
    takenSince: null,
  };
  const ending = isKeptAgain ? { expiresAtSeconds: null } : {};
  // A retry must not begin with what was found before the failure.
  const risk = newStatus === status ? {} : { risk: null };
  const values = {
    ...staying,
    ...released,
    ...ending,
    ...risk,
    ...changes,
    ...(problem !== undefined && problemFields(problem)),
  };
  const update = { set: removingNulls(storedValues(values)), if: { attempt, status, wakeNumber } };
  const after = () =>
    Target.parse(
      Object.fromEntries(Object.entries({ ...held, ...values }).filter(([, value]) => value !== null)),
    );
  return { update, after };
}

/** Replaces the values that are stored as JSON text. */
export function storedValues(
  changes: Omit<TargetChanges, 'problem' | 'failedAt' | 'isClaimed'>,
): Record<string, unknown> {
  const { preparation, options, calls } = changes;
  return {
    ...changes,
    ...(preparation && { preparation: JSON.stringify(preparation) }),
    ...(options && { options: JSON.stringify(options) }),
    // An earlier release stored the latest call in these fields.
    ...(calls && { intentAt: null, refusal: null }),
  };
}

/**
 * Moves a target to a later time in the index `overdue`, so that sweeps leave it alone until then. Keeps its wake.
 *
 * @param target as read
 * @param untilMs epoch milliseconds
 * @param writeId unique to this call
 * @returns false if a worker has taken the target, or it has changed, since it was read
 */
export async function postponeSweep(
  table: Table,
  target: Target,
  untilMs: number,
  writeId: string,
): Promise<boolean> {
  const { attempt, wakeNumber, leaseUntil = absent, dueAt = absent } = target;
  const update = { set: { dueAt: toTimestamp(untilMs) }, if: { attempt, wakeNumber, leaseUntil, dueAt } };
  try {
    return (await updateItem(table, keyOf(target), update, writeId)).written;
  } catch (error) {
    if (isTransactionConflict(error)) return false;
    throw error;
  }
}

/**
 * Lets a target expire, or restores it, if it has not changed since it was read.
 *
 * @param expiresAtSeconds epoch seconds; `undefined`: it is kept
 */
export async function setExpiry(
  table: Table,
  target: Target,
  expiresAtSeconds: number | undefined,
): Promise<void> {
  const { status, wakeNumber } = target;
  const set = removingUndefined({ expiresAtSeconds });
  await updateItem(table, keyOf(target), { set, if: { status, wakeNumber } });
}

/** Puts a waiting target back into the index `overdue` if an earlier version of the service left it out. */
export async function restoreOverdueKeys(table: Table, target: Target): Promise<void> {
  const { wakeAt, wakeNumber } = target;
  if (wakeAt === undefined || hasOverdueKeys(target)) return;
  await updateItem(table, keyOf(target), { set: { ...overdueKeys(target) }, if: { wakeAt, wakeNumber } });
}

/** Gives a target a wake if it still has none. @param wakeMs epoch milliseconds */
export async function wakeAgain(table: Table, target: Target, wakeMs: number): Promise<void> {
  const { attempt, status, wakeNumber } = target;
  const set = removingNulls(nextWake(target, toTimestamp(wakeMs)));
  await updateItem(table, keyOf(target), { set, if: { attempt, status, wakeNumber, wakeAt: absent } });
}

/** Moves a target that a pause holds into the shards that the sweep reads. Keeps its wake. */
export async function leaveToSweep(table: Table, target: Target): Promise<void> {
  const { wakeAt = absent, wakeNumber } = target;
  await updateItem(table, keyOf(target), { set: { ...overdueKeys(target) }, if: { wakeAt, wakeNumber } });
}

export const keyOf = ({
  workspaceId,
  postId,
  accountId,
}: Pick<Target, 'workspaceId' | 'postId' | 'accountId'>) => targetKey(workspaceId, postId, accountId);
