import { unsettledCall } from '../at-most-once/call-records.ts';
import { isAskedWait } from '../at-most-once/retry-policy.ts';
import type { PutOff } from '../incidents/schemas.ts';
import { minuteMs, toTimestamp } from '../kernel/clock.ts';
import { overdueSince } from '../targets/item.ts';
import type { OutcomeCode } from '../targets/outcome-codes.ts';
import type { Target } from '../targets/schemas.ts';

/** The reasons for a wait that only the platform or the operators can end. Limits, pauses and files of users are none. */
const reasons: ReadonlySet<OutcomeCode | undefined> = new Set([
  'platform_unavailable',
  'app_refused',
  'outcome_unknown',
  'internal',
]);

/** The lateness of a try from which the target counts as overdue instead: no worker asks its platform. */
const untriedMs = 2 * minuteMs;

/**
 * Returns how a target is put off; `undefined` if it is not, or if a worker is trying it at this moment. Pure.
 *
 * @param now epoch milliseconds
 */
export function putOffOf(target: Target, now: number): PutOff | undefined {
  if (!isWaiting(target) || isHeld(target, now)) return undefined;
  if ((overdueSince(target) ?? '') < toTimestamp(now - untriedMs)) return undefined;
  const call = unsettledCall(target.calls);
  if (call?.isProcessing) return undefined;
  const { workspaceId, postId, accountId, platform, error, errorDetail } = target;
  const code = call ? 'outcome_unknown' : errorDetail?.code;
  const since = target.firstFailureAt ?? target.takenSince ?? call?.intentAt ?? target.timeline.at(-1)?.at;
  if (code === undefined || since === undefined || !reasons.has(code)) return undefined;
  const reason = errorDetail?.platformMessage ?? error ?? 'the outcome of a request is not known';
  const lateSince = isAsked(target) ? undefined : dueAt(target);
  return {
    ...{ workspaceId, postId, accountId, platform, since, code },
    reason: reason.slice(0, reasonCharacters).toWellFormed(),
    ...(lateSince !== undefined && { lateSince }),
  };
}

/** Enough to recognize it: the item has a sample of all platforms. */
const reasonCharacters = 80;

/** True if the target waits to go live. */
export const isWaiting = ({ status, publishedAt }: Target): boolean =>
  publishedAt === undefined && (status === 'scheduled' || status === 'publishing');

/** True if a worker holds the target. @param now epoch milliseconds */
export const isHeld = ({ leaseUntil }: Target, now: number): boolean =>
  leaseUntil !== undefined && leaseUntil > toTimestamp(now);

/** The time at which it should have gone live, as a timestamp. A limit or a pause that it waited for puts that off. */
const dueAt = ({ scheduledFor, limitedUntil, resumedAt }: Target): string | undefined =>
  scheduledFor && [scheduledFor, limitedUntil ?? '', resumedAt ?? ''].toSorted().at(-1);

/** True if the platform has asked for the present wait. */
function isAsked({ failures, timeline }: Target): boolean {
  const { event, at, nextAt } = timeline.at(-1) ?? {};
  if (event !== 'trying again' || at === undefined || nextAt === undefined) return false;
  return isAskedWait(Date.parse(nextAt) - Date.parse(at), failures);
}
