import type { Account } from '../accounts/schemas.ts';
import { accountFromItem } from '../accounts/store.ts';
import { pauseAmong, pauseKeysOf } from '../pauses/read.ts';
import type { Pause } from '../pauses/schemas.ts';
import { Post } from '../posts/stored/schemas.ts';
import { batchGet } from '../table/batch-get.ts';
import { accountKey, postKey, tokensKey } from '../table/keys.ts';
import type { Target } from '../targets/schemas.ts';
import type { PublishingPorts } from './ports.ts';
import { stepMs } from './time-limits.ts';

/** A held target and the items it belongs to. */
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
  /** The time by which this worker must be done, in epoch milliseconds. */
  readonly deadline: number;
  /** Fires when the work ends, for whatever reason. */
  readonly ended: AbortSignal;
}

/**
 * Reads what a held target belongs to, with one request. While a transaction is being applied, reads may show the target of an edit, and
 * its post as it was before:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-isolation
 *
 * @returns `undefined` if its post was deleted, or if reads do not show its creation or its latest edit yet
 */
export async function readWork(
  { table, now }: Pick<PublishingPorts, 'table' | 'now'>,
  target: Target,
  times: Pick<Work, 'deadline' | 'ended'>,
): Promise<Work | undefined> {
  const readMs = now();
  const { workspaceId, postId, accountId, status } = target;
  const keys = {
    post: postKey(workspaceId, postId),
    account: accountKey(workspaceId, accountId),
    tokens: tokensKey(workspaceId, accountId),
  };
  // A target that has begun its last call is finished, whatever is paused.
  const pauses = status === 'scheduled' ? pauseKeysOf(target) : [];
  const found = await batchGet(table, [...Object.values(keys), ...pauses]);
  const item = found.get(keys.post);
  const account = found.get(keys.account);
  if (item === undefined) return undefined;
  const post = Post.parse(item);
  if (post.version < (target.postVersion ?? 0)) return undefined;
  return {
    target,
    post,
    account: account && accountFromItem(account),
    tokensItem: found.get(keys.tokens),
    pause: pauseAmong(found, pauses),
    readMs,
    ...times,
  };
}

/** Returns the time by which the next step must end, in epoch milliseconds: before the worker's time runs out. */
export function stepDeadline(ports: PublishingPorts, { deadline }: Work): number {
  return Math.min(deadline, ports.now() + stepMs);
}
