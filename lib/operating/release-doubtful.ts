import type { Act } from '../access/act.ts';
import { retryPost } from '../posts/retry.ts';
import type { Table } from '../table/table.ts';
import type { Target } from '../targets/schemas.ts';
import { getWorkspace } from '../workspaces/store.ts';
import { findFailedTargets, longestSpanMs } from './failed-targets.ts';

export interface ReleasePorts extends Omit<Act, 'verb'> {
  readonly table: Table;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly report: (what: string, error: unknown) => void;
}

/** The maximum number of targets. More would be an incident of its own: run the command again. */
const maxTargets = 10_000;

/**
 * Retries the destinations that a restore has left in doubt, as a person would one by one. The platform is asked once more about
 * each; those that it still does not show are published. Covers the failures of the last seven days. Other failed destinations of
 * the same posts stay as they are.
 *
 * @param options.dueAfter a timestamp: destinations that were due before may be live, and stay
 * @returns the number of posts with retried destinations, and of failures
 */
export async function releaseDoubtful(
  { table, now, actor, requestId, report }: ReleasePorts,
  { dueAfter, isDryRun }: { readonly dueAfter: string; readonly isDryRun: boolean },
): Promise<{ posts: number; failures: number }> {
  const range = { sinceMs: now - longestSpanMs, now, limit: maxTargets };
  const { targets } = await findFailedTargets(table, range);
  const doubtful = targets.filter((target) => isReleasable(target, dueAfter));
  const posts = new Map(doubtful.map(({ postId, workspaceId }) => [postId, workspaceId]));
  const count = { posts: 0, failures: 0 };
  for (const [postId, workspaceId] of posts) {
    try {
      if (!isDryRun) {
        const { cursorSecret } = await getWorkspace(table, workspaceId);
        const act = { actor, requestId, verb: 'post.retry' } as const;
        const context = { table, workspaceId, cursorSecret, now, ...act };
        await retryPost(context, postId, { isWanted: (target) => isReleasable(target, dueAfter) });
      }
      count.posts += 1;
    } catch (error) {
      count.failures += 1;
      report(`post ${postId} of workspace ${workspaceId}`, error);
    }
  }
  return count;
}

/**
 * True if the restore has left a failed target in doubt and the target was due after a time. A person's retry makes it due again,
 * so its time alone is not enough; the record of the restore begins when it was due, see `withRestoredCall`.
 */
function isReleasable({ calls = [], errorDetail, scheduledFor = '' }: Target, dueAfter: string): boolean {
  const { isRestored = false, intentAt = '' } = calls.at(-1) ?? {};
  const isInDoubt = isRestored && errorDetail?.code === 'outcome_unknown';
  return isInDoubt && scheduledFor > dueAfter && intentAt > dueAfter;
}
