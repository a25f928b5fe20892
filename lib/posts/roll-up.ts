import { isDeepStrictEqual } from 'node:util';
import { toTimestamp } from '../kernel/clock.ts';
import { requireMove } from '../kernel/life-cycle.ts';
import { isTransactionConflict, updateItem } from '../table/items.ts';
import { postKey, statusList } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { summarise, type Target, type TargetSummary } from '../targets/schemas.ts';
import { isSettled } from '../targets/state.ts';
import { postLifeCycle, postStatus } from './state.ts';
import { findPost } from './store.ts';
import { byPosition } from './view.ts';

/**
 * Brings a post's status and its list of targets up to the targets themselves. Safe to run concurrently: on a version
 * conflict, or if it meets a transaction, it reads again. While another target of the post is going live nothing is
 * written: the outcome of that call sets off the next roll-up, which brings them all.
 *
 * @param now epoch milliseconds
 * @throws ForbiddenMoveError for a status that may not follow the post's
 */
export async function rollUpPost(
  table: Table,
  workspaceId: string,
  postId: string,
  now: number,
): Promise<void> {
  for (;;) {
    const found = await findPost(table, workspaceId, postId);
    if (!found) return;
    const { post } = found;
    if (found.targets.some((target) => isGoingLive(target, now))) return;
    const targets = byPosition(found.targets).map(summarise);
    const status = postStatus(targets.map((target) => target.status));
    if (post.status === status && isDeepStrictEqual(post.targets, targets)) return;
    requireMove('post', postLifeCycle, post.status, status);
    const { written } = await updateItem(table, postKey(workspaceId, postId), {
      set: {
        status,
        targets,
        statusList: statusList(workspaceId, status),
        version: post.version + 1,
        updatedAt: toTimestamp(now),
        settledResult: settledResult(targets),
      },
      if: { version: post.version },
    }).catch((error: unknown) => {
      if (isTransactionConflict(error)) return { written: false };
      throw error;
    });
    if (written) return;
  }
}

/** Whether a worker is at the last call. However that ends, or who takes over, it ends in a change that is shown. */
function isGoingLive({ status, leaseUntil }: Target, now: number): boolean {
  return status === 'publishing' && leaseUntil !== undefined && leaseUntil > toTimestamp(now);
}

/** What came of all targets, as text that is the same for the same result; `undefined` while one is not settled. */
function settledResult(targets: readonly TargetSummary[]): string | undefined {
  if (targets.length === 0 || !targets.every(({ status }) => isSettled(status))) return undefined;
  return targets.map(({ accountId, status }) => `${accountId}:${status}`).join(' ');
}
