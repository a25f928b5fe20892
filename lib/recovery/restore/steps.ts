import { settleStep } from '../../posts/stored/chain-steps.ts';
import { findPost, type PostWithTargets } from '../../posts/stored/store.ts';
import { transact } from '../../table/transaction.ts';
import type { Target } from '../../targets/schemas.ts';
import { doubtfulSteps, type Gap } from './doubtful.ts';
import type { HoldPorts, Run } from './hold-run.ts';

/**
 * Ends the steps of a post's chain that may have become posts in the gap.
 *
 * @param dueMs the time at which the post may have gone live, in epoch milliseconds; default: the due time of the backup's first
 *   target
 */
export async function endSteps(
  { table, now }: HoldPorts,
  { workspaceId, postId }: Pick<Target, 'workspaceId' | 'postId'>,
  gap: Gap,
  { isDryRun, count }: Run,
  dueMs?: number,
): Promise<void> {
  for (;;) {
    const found = await findPost(table, workspaceId, postId);
    const { chain = [] } = found?.post ?? {};
    const steps = found ? doubtfulSteps(chain, dueMs ?? firstDueMs(found), gap) : [];
    const [index] = steps;
    if (isDryRun) count.steps += steps.length;
    if (found === undefined || index === undefined || isDryRun) return;
    const waiting = chain.filter(({ status }) => status === 'waiting').length;
    const result = {
      status: 'failed',
      error: 'the service was restored from a backup: create it again',
    } as const;
    const part = settleStep(table, found.post, index, result, { isLast: waiting === 1, now: now() });
    if ((await transact(table, [part])).committed) count.steps += 1;
  }
}

/** Returns the time at which the first target of a post went live or was due, in epoch milliseconds. */
function firstDueMs({ post, targets }: PostWithTargets): number {
  const times = targets.flatMap(({ publishedAt, scheduledFor }) => publishedAt ?? scheduledFor ?? []);
  return Math.min(
    ...[...times, ...(times.length > 0 ? [] : [post.createdAt])].map((time) => Date.parse(time)),
  );
}
