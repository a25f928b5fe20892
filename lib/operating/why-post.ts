import { toTimestamp } from '../kernel/clock.ts';
import { notFound } from '../kernel/errors.ts';
import { findPost } from '../posts/stored/store.ts';
import type { Table } from '../table/table.ts';
import { type OutcomeCategory, outcomeCodes } from '../targets/outcome-codes.ts';
import { toErrorDetail } from '../targets/problem.ts';
import type { Target } from '../targets/schemas.ts';
import { isSettled } from '../targets/state.ts';
import type { PlatformCall } from '../targets/timeline.ts';
import { holdingScope } from '../targets/wake.ts';
import { findOwner } from './find-owner.ts';

/** The explanation of a destination's status, for operators. Times are timestamps. */
export interface TargetReason {
  readonly platform: string;
  readonly accountId: string;
  readonly status: string;
  readonly scheduledFor: string | null;
  /** The time at which it is due next; null if nobody waits for a time. */
  readonly nextAt: string | null;
  readonly code: string | null;
  readonly reason: string | null;
  /** The one who has to act. */
  readonly who: string;
  readonly nextStep: string;
  /** The last calls to the platform, oldest first. */
  readonly calls: readonly (PlatformCall & { readonly at: string })[];
}

export interface PostReason {
  readonly postId: string;
  readonly workspaceId: string;
  readonly status: string;
  readonly createdAt: string;
  readonly targets: readonly TargetReason[];
}

/** The number of calls that fit on a screen. */
const shownCalls = 3;

/**
 * Explains for each destination of a post why it waits, has failed or is live, with the last calls. For operators, who need not
 * know its workspace.
 *
 * @param now epoch milliseconds
 * @throws HeraldError `not_found`
 */
export async function explainPost(table: Table, postId: string, now: number): Promise<PostReason> {
  const workspaceId = await findOwner(table, 'post', postId);
  const found = await findPost(table, workspaceId, postId);
  if (!found) throw notFound('post');
  const { post, targets } = found;
  return {
    postId,
    workspaceId,
    status: post.status,
    createdAt: post.createdAt,
    targets: targets
      .toSorted((one, other) => one.position - other.position)
      .map((target) => explainTarget(target, now)),
  };
}

/** Explains the status of a target. Pure. @param now epoch milliseconds */
export function explainTarget(target: Target, now: number): TargetReason {
  const { platform, accountId, status, scheduledFor, wakeAt, error, timeline } = target;
  const detail = toErrorDetail(target);
  const calls = timeline.flatMap(({ at, calls: made }) => made.map((call) => ({ at, ...call })));
  return {
    platform,
    accountId,
    status,
    scheduledFor: scheduledFor ?? null,
    nextAt: holdingScope(target) === undefined ? (wakeAt ?? null) : null,
    code: detail?.code ?? null,
    reason: error ?? null,
    ...adviceFor(target, now),
    calls: calls.slice(-shownCalls),
  };
}

const actors: Readonly<Record<OutcomeCategory, string>> = {
  retryable: 'nobody, or whoever asks for another try',
  reconnect: 'the owner of the account',
  content: 'the user',
  platform: 'somebody at the platform',
  unknown: 'a person who looks at the account',
};

function adviceFor(target: Target, now: number): Pick<TargetReason, 'who' | 'nextStep'> {
  const { postId, status, wakeAt, errorDetail, error } = target;
  const scope = holdingScope(target);
  if (scope !== undefined)
    return { who: 'the operator', nextStep: `end the pause of ${scope}: see pause list and resume` };
  const removal = removalAdvice(target, now);
  if (removal) return removal;
  if (status === 'draft') return { who: 'the user', nextStep: 'schedule the draft' };
  const code = error === undefined ? undefined : (errorDetail?.code ?? 'unknown');
  if (status === 'failed') {
    const { category, remedy } = outcomeCodes[code ?? 'unknown'];
    const who = code === 'app_refused' ? 'the operator' : actors[category];
    return { who, nextStep: failedStep(code, remedy, postId) };
  }
  if (isSettled(status))
    return error === undefined
      ? { who: 'nobody', nextStep: 'nothing: it is live' }
      : {
          who: actors[outcomeCodes[code ?? 'unknown'].category],
          nextStep: outcomeCodes[code ?? 'unknown'].remedy,
        };
  if (wakeAt !== undefined && Date.parse(wakeAt) < now)
    return {
      who: 'nobody',
      nextStep: `nothing yet: it is due since ${wakeAt}, and sweep sends it again every minute. If it stays, see queue list`,
    };
  return { who: 'nobody', nextStep: wakeAt === undefined ? 'nothing' : `nothing: it is worked at ${wakeAt}` };
}

/** Returns the advice about a removal; `undefined` if there is none. */
function removalAdvice(
  { postId, removal, removedAt, wakeAt }: Target,
  now: number,
): Pick<TargetReason, 'who' | 'nextStep'> | undefined {
  switch (removal?.state) {
    case undefined:
      return undefined;
    case 'removed': {
      const by = removal.by === 'person' ? 'it was deleted at the platform' : 'it was taken down';
      return {
        who: 'nobody',
        nextStep: `nothing: ${by}${removedAt === undefined ? '' : ` at ${removedAt}`}`,
      };
    }
    case 'requested': {
      const last = removal.error === undefined ? '' : `. The last try: ${removal.error}`;
      const isLate = wakeAt !== undefined && Date.parse(wakeAt) < now;
      const when = isLate ? `is due since ${wakeAt}, and sweep sends it again` : `is tried at ${wakeAt}`;
      return {
        who: 'nobody',
        nextStep: `nothing yet: it is to be taken down since ${removal.requestedAt}, which ${when}${last}`,
      };
    }
    case 'failed': {
      const code = removal.errorDetail?.code ?? 'unknown';
      const { category, remedy } = outcomeCodes[code];
      return {
        who: code === 'app_refused' ? 'the operator' : actors[category],
        nextStep: `it could not be taken down: ${removal.error ?? code}. ${remedy}, then POST /v1/posts/${postId}/unpublish again, or delete it at the platform`,
      };
    }
  }
}

function failedStep(code: string | undefined, remedy: string, postId: string): string {
  const retry = `post retry ${postId}`;
  switch (code) {
    case 'app_refused':
      return `look at the app in the developer console of the platform, then ${retry}`;
    case 'outcome_unknown':
      return `look where the reason says; only if the post is not there, ${retry}`;
    case 'internal':
      return `find the error in the log (tail --failures), fix it, then ${retry}`;
    default:
      return `${remedy} (${retry})`;
  }
}

/** A failed target in a list across workspaces. */
export interface FailedRow {
  readonly failedAt: string;
  readonly platform: string;
  readonly code: string;
  readonly workspaceId: string;
  readonly postId: string;
  readonly accountId: string;
  readonly reason: string;
}

/** Returns a failed target as a row of a list. Pure. */
export function toFailedRow(target: Target): FailedRow {
  const { platform, workspaceId, postId, accountId, error = '' } = target;
  const failedAt = target.dueAt ?? target.timeline.at(-1)?.at ?? toTimestamp(0);
  const code = toErrorDetail(target)?.code ?? 'unknown';
  return { failedAt, platform, code, workspaceId, postId, accountId, reason: error };
}

/** Returns the form of a reason by which it is counted: two reasons that differ only in numbers and ids are the same. Pure. */
export const sameReason = (reason: string): string => reason.replaceAll(/[\w-]*\d[\w-]*/g, '#');
