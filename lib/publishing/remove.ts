import { accountProblem, accountProblemCode } from '../accounts/problem.ts';
import type { Account } from '../accounts/schemas.ts';
import { clearMark, judgeFailure } from '../at-most-once/judge-failure.ts';
import { countFailure, waitForLimit } from '../at-most-once/retry-policy.ts';
import { shortReason } from '../at-most-once/short-reason.ts';
import { minuteMs, toTimestamp } from '../kernel/clock.ts';
import { PlatformError } from '../platforms/contract/errors.ts';
import { LeaseLostError } from '../table/lease.ts';
import { findLivePost } from '../targets/live-posts.ts';
import { removedChanges } from '../targets/mark-removed.ts';
import { codeOf, type Problem, problemFields, quoteOf } from '../targets/problem.ts';
import { idsToRemove, type Removal } from '../targets/removal.ts';
import type { Target } from '../targets/schemas.ts';
import type { TargetChanges } from '../targets/store.ts';
import { livePartsOf, platformPostIdsOf } from '../targets/thread.ts';
import type { WorkerPorts } from './call-log.ts';
import { failureProblem, waitUntil } from './step-failure.ts';
import { commit, commitWake } from './transitions.ts';
import type { Work } from './work.ts';

/**
 * Deletes the posts of a target that somebody has taken down, one per wake, the last part of a thread first. The intent is committed
 * before each call. A call whose response was lost is made again: a post is named by its id, so a repeat deletes nothing else, and an
 * answer that there is no such post then says that the first call has deleted it. Such an answer does not count while the post is new.
 */
export async function removeTarget(ports: WorkerPorts, { account, ...work }: Work): Promise<void> {
  const { target } = work;
  await waitUntil(ports, Date.parse(target.wakeAt ?? ''));
  const problem = accountProblem(account);
  if (problem || !account) {
    const text = problem ?? 'the account was deleted';
    await failRemoval(ports, target, { code: accountProblemCode(account), text });
    return;
  }
  const [id] = idsToRemove(target);
  if (id === undefined) {
    await commitRemoved(ports, target, [], 'service');
    return;
  }
  let held = target;
  try {
    if (await isOfAnother(ports, target, id)) {
      await failRemoval(ports, target, { code: 'outcome_unknown', text: ofAnother });
      return;
    }
    const adapter = await ports.adapterFor(target.platform);
    const tools = await ports.toolsFor(target.platform);
    const accessToken = await ports.accessToken(account, work.tokensItem);
    const { intended = [] } = removalOf(target);
    const isRepeat = intended.includes(id);
    if (!adapter.removePost)
      throw new PlatformError('rejected', `${target.platform} lets no app delete posts`);
    if (!isRepeat)
      held = await commit(
        ports,
        target,
        { event: 'waiting', laterEvent: 'removing' },
        { removal: { ...removalOf(target), intended: [...intended, id] } },
      );
    const { platformAccountId, username, meta, scopes } = account;
    const post = { account: { platformAccountId, username, meta, scopes }, accessToken, platformPostId: id };
    const deletion = await adapter.removePost(post, tools);
    if (deletion === 'gone' && ports.now() < liveSinceMs(held, id) + newForMs)
      throw new PlatformError('retry', `${target.platform} does not have the post yet, or not any more`);
    const isForeign = deletion === 'gone' && !isRepeat;
    await commitRemoved(ports, held, [id], isForeign ? 'person' : 'service');
  } catch (error) {
    await recordRemovalFailure(ports, { ...work, target: held, account }, error);
    return;
  }
  await clearMark(ports, account);
}

/** The time after going live in which a platform may not know a post yet. Our judgement. */
const newForMs = 5 * minuteMs;

/** Returns the time at which a post of a target went live, in epoch milliseconds. */
function liveSinceMs(target: Target, id: string): number {
  const part = livePartsOf(target).find(({ platformPostId }) => platformPostId === id);
  return Date.parse(part?.publishedAt ?? target.publishedAt ?? '');
}

const ofAnother =
  'the post that was taken for this one is of another destination: check the account, and delete the right one there';

/** True if another target has proved to be the one that made the post. */
async function isOfAnother({ table }: WorkerPorts, target: Target, platformPostId: string): Promise<boolean> {
  const { platform, workspaceId, postId } = target;
  const owner = await findLivePost(table, { platform, platformPostId }, target);
  return owner !== undefined && !(owner.workspaceId === workspaceId && owner.postId === postId);
}

const removalOf = ({ removal }: Target): Removal => removal ?? { state: 'requested', by: 'service' };

/** Commits that a post is gone. The next one, if any, has a wake of its own. */
async function commitRemoved(
  ports: WorkerPorts,
  held: Target,
  ids: readonly string[],
  by: 'service' | 'person',
): Promise<void> {
  const { error: _error, errorDetail: _detail, ...removal } = removalOf(held);
  const gone = [...(removal.gone ?? []), ...ids];
  const after = { ...held, removal: { ...removal, gone } };
  const left = idsToRemove(after).length;
  if (left > 0) {
    const all = platformPostIdsOf(held).length;
    const reason = `${all - left} of ${all} parts are deleted`;
    await commitWake(ports, held, { event: 'waiting', laterEvent: 'part removed', reason }, ports.now(), {
      removal: after.removal,
      failures: 0,
      firstFailureAt: null,
      limitedSince: null,
    });
    return;
  }
  const step = { event: 'waiting', laterEvent: 'removed' } as const;
  const told = by === 'person' ? { ...step, reason: 'the platform had no such post any more' } : step;
  await commit(ports, held, told, removedChanges(after, by, ports.now()));
}

/** Ends a removal that has failed. Somebody may ask for it again. Says what is left of a thread. */
export async function failRemoval(ports: WorkerPorts, held: Target, problem: Problem): Promise<void> {
  const left = idsToRemove(held).length;
  const all = platformPostIdsOf(held).length;
  const text = all > 1 ? `${problem.text} (${left} of ${all} parts are still live)` : problem.text;
  const changes = { ...failing(held, { ...problem, text }, 'failed'), wakeAt: null };
  await commit(ports, held, { event: 'waiting', laterEvent: 'not removed', reason: text }, changes);
}

/** Returns the change that shows a problem of a removal. */
function failing(held: Target, problem: Problem, state: Removal['state']): TargetChanges {
  const { error, errorDetail } = problemFields({ ...problem, text: shortReason(problem.text) });
  return {
    removal: {
      ...removalOf(held),
      state,
      ...(error !== null && { error }),
      ...(errorDetail !== null && { errorDetail }),
    },
  };
}

/** Records a deletion that failed, or whose outcome is unknown: schedules another try by the usual rules, or ends the removal. */
async function recordRemovalFailure(
  ports: WorkerPorts,
  work: Omit<Work, 'account'> & { readonly account: Account },
  error: unknown,
): Promise<void> {
  if (error instanceof LeaseLostError) throw error;
  if (!(error instanceof PlatformError)) ports.report('a post was not deleted', error);
  const { target } = work;
  const activity = 'deleting a post';
  const decision = await judgeFailure(ports, { ...work, retries: target, activity, onQuota: 'wait' }, error);
  if (decision.kind === 'fail') {
    await failRemoval(ports, target, failureProblem(error, decision));
    return;
  }
  const { wakeMs, limitEndsMs } = decision;
  const reason = error instanceof PlatformError ? error.message : 'an error on our side';
  const text =
    limitEndsMs === undefined
      ? `trying again: ${reason}`
      : `waiting for a limit of the platform, until about ${toTimestamp(limitEndsMs)}: ${reason}`;
  const code = limitEndsMs === undefined ? codeOf(error) : 'quota_exhausted';
  const problem = { code, text, platformMessage: quoteOf(error), retryMs: wakeMs } as const;
  await commitWake(ports, target, { event: 'waiting', laterEvent: 'not removed', reason: text }, wakeMs, {
    ...failing(target, problem, 'requested'),
    ...(limitEndsMs === undefined
      ? countFailure(target, ports.now())
      : waitForLimit(target, ports.now(), limitEndsMs)),
  });
}
