import type { Account } from '../accounts/schemas.ts';
import { accountFromItem } from '../accounts/store.ts';
import { pauseAmong, pauseKeysOf } from '../pauses/read.ts';
import type { Pause } from '../pauses/schemas.ts';
import type { PublishJob } from '../platforms/contract/adapter.ts';
import { Post } from '../posts/stored/schemas.ts';
import { batchGet } from '../table/batch-get.ts';
import type { FoundItems } from '../table/found-items.ts';
import { accountKey, postKey, tokensKey } from '../table/keys.ts';
import type { Target } from '../targets/schemas.ts';
import type { PublishingPorts } from './ports.ts';
import { stepMs } from './time-limits.ts';

/** A target and the items it belongs to. A worker holds it, or has only seen it: see `awaitReadyCall`. */
export interface Work {
  readonly target: Target;
  readonly post: Post;
  /** Absent if the workspace never had it. */
  readonly account: Account | undefined;
  readonly tokensItem: Record<string, unknown> | undefined;
  /** The pause that stops a scheduled target; absent if none does. */
  readonly pause: Pause | undefined;
  /** The time at which the pause was read, in epoch milliseconds. */
  readonly readMs: number;
  /** The job of a scheduled target, if it was loaded before the target was taken. */
  readonly job?: PublishJob;
  /** The time by which this worker must be done, in epoch milliseconds. */
  readonly deadline: number;
  /** Fires when the work ends, for whatever reason. */
  readonly ended: AbortSignal;
}

/** Items of one or more targets of a post, as {@link readWork} reads them. */
export interface WorkItems {
  /** The post and the pauses, read strongly consistent, and perhaps other items. */
  readonly certain: FoundItems;
  /** The accounts and their tokens, and perhaps other items. */
  readonly ofAccounts: FoundItems;
  /** The time of the read, in epoch milliseconds. */
  readonly readMs: number;
}

/**
 * Reads the items that targets of one post belong to. One request, or two at the same time.
 *
 * @param options.isAccountEventual reads accounts and their tokens for half the units. They may be about a second old: for work
 *   that does not fail or hold a target because of them
 */
export async function readWork(
  { table, now }: Pick<PublishingPorts, 'table' | 'now'>,
  targets: readonly Target[],
  { isAccountEventual = false } = {},
): Promise<WorkItems> {
  const readMs = now();
  const keys = targets.flatMap((target) => [keysOf(target).post, ...stoppingPauseKeys(target)]);
  const accountKeys = targets.flatMap((target) => [keysOf(target).account, keysOf(target).tokens]);
  if (!isAccountEventual) {
    const certain = await batchGet(table, [...keys, ...accountKeys]);
    return { certain, ofAccounts: certain, readMs };
  }
  const [certain, ofAccounts] = await Promise.all([
    batchGet(table, keys),
    batchGet(table, accountKeys, { isEventual: true }),
  ]);
  return { certain, ofAccounts, readMs };
}

/** Puts a target's work together from the items that were read for it. Pure. @returns `undefined` if its post was deleted */
export function workOf(
  { certain, ofAccounts, readMs }: WorkItems,
  target: Target,
  times: Pick<Work, 'deadline' | 'ended'>,
): Work | undefined {
  const keys = keysOf(target);
  const post = certain.get(keys.post);
  const account = ofAccounts.get(keys.account);
  return (
    post && {
      target,
      post: Post.parse(post),
      account: account && accountFromItem(account),
      tokensItem: ofAccounts.get(keys.tokens),
      pause: pauseAmong(certain, stoppingPauseKeys(target)),
      readMs,
      ...times,
    }
  );
}

const keysOf = ({ workspaceId, postId, accountId }: Target) => ({
  post: postKey(workspaceId, postId),
  account: accountKey(workspaceId, accountId),
  tokens: tokensKey(workspaceId, accountId),
});

/** Returns the keys of the pauses that stop a target. A target that has begun its last call is finished, whatever is paused. */
const stoppingPauseKeys = (target: Target) => (target.status === 'scheduled' ? pauseKeysOf(target) : []);

/** Returns the time by which the next step must end, in epoch milliseconds: before the worker's time runs out. */
export function stepDeadline(ports: PublishingPorts, { deadline }: Work): number {
  return Math.min(deadline, ports.now() + stepMs);
}
