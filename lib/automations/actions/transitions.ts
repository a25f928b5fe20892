import { settleCall } from '../../at-most-once/call-records.ts';
import { judgeFailure } from '../../at-most-once/judge-failure.ts';
import { countFailure, type FailureDecision } from '../../at-most-once/retry-policy.ts';
import { shortReason } from '../../at-most-once/short-reason.ts';
import { minuteMs, secondMs, toTimestamp } from '../../kernel/clock.ts';
import { PlatformError } from '../../platforms/contract/errors.ts';
import type { CallRecord } from '../../platforms/contract/last-call.ts';
import {
  type AccountCall,
  type CommentPlatform,
  MessageRefused,
} from '../../platforms/contract/messaging.ts';
import type { PlatformTools } from '../../platforms/contract/tools.ts';
import { LeaseLostError } from '../../table/lease.ts';
import type { TransactionItems } from '../../table/transaction.ts';
import { codeOf } from '../../targets/problem.ts';
import { awaitsNoAnswer } from '../conversation-states.ts';
import { type CountChanges, countUpdate, sumOfCounts } from '../counts.ts';
import {
  type FailureCode,
  failureCodes,
  isWaitReason,
  type Problem,
  type WaitReason,
} from '../failure-codes.ts';
import type { AutomationAction } from '../schemas.ts';
import { answerNotAwaitedWrite } from './awaited-answers.ts';
import { keptCalls } from './call-records.ts';
import { noteWait } from './noted-waits.ts';
import { windowEndOf } from './obstacles.ts';
import type { ActionPorts } from './ports.ts';
import { type ActionChanges, ended, messageOf, released, updateAction } from './store.ts';
import { withWait } from './waits.ts';
import type { HeldAction, Work } from './work.ts';

/** The minimum and maximum time before an action checks again whether it can be sent. Jitter adds up to half to both. */
const shortestWaitMs = 5 * minuteMs;
const longestWaitMs = 40 * minuteMs;

/** The changes after a wait for a temporary obstacle: failures are then retried for their full time again. */
export const withoutFailures = { failures: 0, firstFailureAt: null } satisfies ActionChanges;

/**
 * Releases an action until it checks again whether the obstacle has passed. The older the comment or answer, the longer the wait,
 * because new comments keep arriving. Jitter keeps actions that were stopped together from coming back together. Never waits past
 * the end of the window, so that the action then fails with its reason. Also notes for what it waits, so that the sweep wakes it
 * as soon as the obstacle has passed.
 *
 * @param endMs the end of the window, in epoch milliseconds
 */
export function waitFor<Held extends AutomationAction>(
  work: Work<Held>,
  waitsFor: WaitReason,
  endMs: number,
  changes: ActionChanges = {},
): Promise<Held> {
  const { now, chance } = work.ports;
  const waitMs = Math.min(longestWaitMs, Math.max(shortestWaitMs, ageMs(work.action, now()) / 4));
  const wakeMs = Math.min(endMs, now() + waitMs * (1 + chance() / 2));
  const noted = noteWait(work, waitsFor, endMs);
  return commitWait(work, wakeMs, { ...changes, waitsFor, ...withoutFailures }, { writes: noted });
}

/** Returns the age of the comment or of the person's latest answer, whichever is later. */
function ageMs(action: AutomationAction, now: number): number {
  const heardAt = (action.kind === 'automationMessage' ? action.lastHeardAt : undefined) ?? '';
  return now - Date.parse(heardAt > action.createdAt ? heardAt : action.createdAt);
}

/** Opens the account for a platform call. @throws PlatformError if there is no valid token, or the platform has no automations */
export async function openCall({ ports, account, tokensItem }: Work): Promise<{
  readonly access: AccountCall;
  readonly platform: CommentPlatform;
  readonly tools: PlatformTools;
}> {
  const platform = account && ports.commentPlatformFor(account.platform);
  if (!account || !platform) throw new PlatformError('rejected', 'this platform has no comment automations');
  const [accessToken, tools] = await Promise.all([
    ports.accessToken(account, tokensItem),
    ports.toolsFor(account.platform),
  ]);
  const { platformAccountId, username } = account;
  return { access: { account: { platformAccountId, username }, accessToken }, platform, tools };
}

/** The counts and writes that are committed in one transaction with a change of an action. */
export interface Alongside {
  readonly counts?: CountChanges;
  readonly writes?: TransactionItems;
}

/** Commits a step of a held action. @throws LeaseLostError if the action was taken or changed since it was read */
export async function commit<Held extends AutomationAction>(
  { ports, action, onCommitted }: HeldAction<Held>,
  changes: ActionChanges,
  { counts, writes = [] }: Alongside = {},
): Promise<Held> {
  const { table } = ports;
  const waiting = withWait(action, changes);
  const counted = sumOfCounts(counts, waiting.counts);
  const alongside = [
    ...(counted ? [countUpdate(table, action.automationId, action.commentId, counted)] : []),
    ...writes,
    ...prunings(ports, action, changes),
  ];
  const { calls } = changes;
  const kept = { ...waiting.changes, ...(calls && { calls: keptCalls(calls) }) };
  const committed = await updateAction(table, action, kept, { writeId: ports.uniqueId(), alongside });
  onCommitted(committed);
  // An update changes neither the kind of the action nor its owner.
  return committed as Held;
}

/** Returns the write after which the person's messages no longer concern a conversation that was asked without a button. */
function prunings(
  { table, now }: ActionPorts,
  action: AutomationAction,
  { state, stage }: ActionChanges,
): TransactionItems {
  if (action.kind !== 'automationMessage' || !action.withoutButtons) return [];
  const after = { state: state ?? action.state, stage: stage ?? action.stage };
  return awaitsNoAnswer(after) ? [answerNotAwaitedWrite(table, action, now())] : [];
}

/**
 * The shortest wait that is left to the sweep. A shorter one is a delayed queue message, unless the chain of messages is long.
 */
const shortestSweptMs = minuteMs;

/** Releases the action until `wakeMs`, in epoch milliseconds. */
export async function commitWait<Held extends AutomationAction>(
  work: HeldAction<Held>,
  wakeMs: number,
  changes: ActionChanges = {},
  alongside: Alongside = {},
): Promise<Held> {
  const waiting = await commit(work, { ...released, ...changes, wakeAt: toTimestamp(wakeMs) }, alongside);
  const waitMs = Math.max(0, wakeMs - work.ports.now());
  if (waitMs < shortestSweptMs) await work.ports.enqueue(messageOf(waiting), Math.ceil(waitMs / secondMs));
  return waiting;
}

/** Ends an action without sending its message. Stores the reason for operators. A conversation keeps its stage. */
export function commitFailed<Held extends AutomationAction>(
  work: HeldAction<Held>,
  { code, text }: Problem,
  changes: ActionChanges = {},
): Promise<Held> {
  const failed = {
    ...changes,
    ...ended,
    state: 'failed',
    error: shortReason(text),
    errorCode: code,
  } as const;
  return commit(work, failed, { counts: { failures: { [code]: 1 } } });
}

/**
 * Ends an action whose outcome is unknown.
 *
 * @param calls its records, of which the latest is unsettled
 * @param where the place where a person can see the outcome of the call
 */
export function commitUnknown<Held extends AutomationAction>(
  work: HeldAction<Held>,
  calls: readonly CallRecord[],
  where: string,
  why: string | undefined,
): Promise<Held> {
  const errorCode = 'outcome_unknown';
  const error = unknownReason(where, why);
  const unknown = { state: 'unknown', wakeAt: null, error, errorCode } as const;
  return commit(
    work,
    { ...released, ...unknown, calls: settleCall(calls, 'unknown', why) },
    { counts: { failures: { [errorCode]: 1 } } },
  );
}

/** Says that the outcome is unknown, and `where` a person can see it. */
export function unknownReason(where: string, why: string | undefined): string {
  return shortReason(`outcome unknown, so it is not sent again: check ${where}${why ? ` (${why})` : ''}`);
}

/** @property isAskedFor true if the platform asks for the wait, which then does not count as a failure */
type Retry = Extract<FailureDecision, { kind: 'retry' }> & { readonly isAskedFor?: boolean };

/** Decides how to handle a failed call: see {@link judgeFailure}. */
export async function judge(
  { ports, action, account, tokensItem }: Work,
  error: unknown,
): Promise<Retry | Extract<FailureDecision, { kind: 'fail' }>> {
  if (error instanceof LeaseLostError) throw error;
  if (!(error instanceof PlatformError)) ports.report('an action of an automation failed', error);
  const asked =
    error instanceof PlatformError && error.remedy === 'retry' ? error.retryAfterSeconds : undefined;
  if (asked !== undefined) {
    // Jitter: actions that were refused together must not come back together.
    const waitMs = asked * secondMs * (1 + ports.chance() / 2);
    return { kind: 'retry', wakeMs: ports.now() + waitMs, isAskedFor: true };
  }
  const activity =
    action.kind === 'automationReply' ? 'replying to a comment' : 'sending a message to a commenter';
  return judgeFailure(ports, { retries: action, account, tokensItem, activity }, error);
}

/**
 * Returns the problem with which an action fails after this error. Pure.
 *
 * @param decision its reason, and the mark of the account, if it was marked
 */
export function failureProblem(
  error: unknown,
  { reason, account }: Omit<Extract<FailureDecision, { kind: 'fail' }>, 'kind'>,
): Problem {
  // A token that was refused counts as expired once it could not be renewed, with another error.
  if (account)
    return { code: account === 'expired' ? 'account_expired' : 'account_restricted', text: reason };
  if (error instanceof MessageRefused && error.refusedFor !== 'buttons')
    return { code: error.refusedFor === 'window' ? 'window_closed' : 'comment_unavailable', text: reason };
  const code = codeOf(error);
  return { code: code in failureCodes ? (code as FailureCode) : 'other', text: reason };
}

/**
 * Records a failed step of an action that certainly sent nothing: schedules another try, or fails the action.
 *
 * @param changes further changes to commit with it
 */
export async function recordFailure<Held extends AutomationAction>(
  work: Work<Held>,
  error: unknown,
  changes: ActionChanges = {},
): Promise<Held> {
  const decision = await judge(work, error);
  if (decision.kind === 'fail') return waitOrFail(work, failureProblem(error, decision), changes);
  return waitToRetry(work, decision, { ...changes, state: 'waiting', content: null });
}

/** Waits if the problem of an action that certainly sent nothing may pass in time; otherwise fails the action. */
export function waitOrFail<Held extends AutomationAction>(
  work: Work<Held>,
  problem: Problem,
  changes: ActionChanges = {},
): Promise<Held> {
  const { code } = problem;
  const endMs = windowEndOf(work);
  const isInTime = endMs !== undefined && work.ports.now() < endMs;
  if (!isWaitReason(code) || !isInTime) return commitFailed(work, problem, changes);
  return waitFor(work, code, endMs, { ...changes, state: 'waiting', content: null });
}

/** Releases an action until its failed step is tried again. */
export function waitToRetry<Held extends AutomationAction>(
  work: Work<Held>,
  { wakeMs, isAskedFor = false }: Retry,
  changes: ActionChanges = {},
): Promise<Held> {
  const counted = isAskedFor ? {} : countFailure(work.action, work.ports.now());
  return commitWait(work, wakeMs, { ...changes, ...counted });
}
