import { accountProblem } from '../../accounts/problem.ts';
import type { Account } from '../../accounts/schemas.ts';
import { accountFromItem } from '../../accounts/store.ts';
import { settleCall } from '../../at-most-once/call-records.ts';
import { judgeFailure } from '../../at-most-once/judge-failure.ts';
import { countFailure, type FailureDecision } from '../../at-most-once/retry-policy.ts';
import { shortReason } from '../../at-most-once/short-reason.ts';
import { hourMs, minuteMs, secondMs, toTimestamp } from '../../kernel/clock.ts';
import { pauseAmong, pauseKeysOf } from '../../pauses/read.ts';
import type { Pause } from '../../pauses/schemas.ts';
import { PlatformError } from '../../platforms/contract/errors.ts';
import type { CallRecord } from '../../platforms/contract/last-call.ts';
import type { AccountCall, CommentPlatform } from '../../platforms/contract/messaging.ts';
import type { PlatformTools } from '../../platforms/contract/tools.ts';
import { commentPlatformNames } from '../../platforms/registry/comment-platforms.ts';
import { batchGet } from '../../table/batch-get.ts';
import { accountKey, automationKey, tokensKey } from '../../table/keys.ts';
import { LeaseLostError } from '../../table/lease.ts';
import type { TransactionItems } from '../../table/transaction.ts';
import { type AutomationCounts, countUpdate } from '../counts.ts';
import { Automation, type AutomationAction } from '../schemas.ts';
import type { ActionPorts } from './ports.ts';
import { type ActionChanges, ended, messageOf, released, updateAction } from './store.ts';

/** What a commit of a held action needs. */
export interface HeldAction<Held extends AutomationAction = AutomationAction> {
  readonly ports: ActionPorts;
  readonly action: Held;
  /** Called with the action after each commit. */
  readonly onCommitted: (action: AutomationAction) => void;
}

/** A held action and the items it belongs to. */
export interface Work<Held extends AutomationAction = AutomationAction> extends HeldAction<Held> {
  /** Absent if it was deleted. */
  readonly automation: Automation | undefined;
  readonly account: Account | undefined;
  readonly tokensItem: Record<string, unknown> | undefined;
  /** What stops the account, its platform or its workspace; absent if nothing does. */
  readonly pause: Pause | undefined;
}

/** Reads the items that a held action belongs to, in one request. */
export async function loadWork(held: HeldAction): Promise<Work> {
  const { ports, action } = held;
  const { workspaceId, accountId, automationId } = action;
  const keys = {
    automation: automationKey(workspaceId, automationId),
    account: accountKey(workspaceId, accountId),
    tokens: tokensKey(workspaceId, accountId),
  };
  // An action does not say its platform, so the pauses of all platforms with automations are read.
  const pauseKeys = commentPlatformNames.flatMap((platform) => pauseKeysOf({ ...action, platform }));
  const found = await batchGet(ports.table, [...Object.values(keys), ...pauseKeys]);
  const automation = found.get(keys.automation);
  const accountItem = found.get(keys.account);
  const account = accountItem && accountFromItem(accountItem);
  return {
    ...held,
    automation: automation && Automation.parse(automation),
    account,
    tokensItem: found.get(keys.tokens),
    pause: account && pauseAmong(found, pauseKeysOf({ ...action, platform: account.platform })),
  };
}

/** Why nothing can be sent for this automation and account now; `undefined` if it can. */
export function problemOf({ automation, account }: Work): string | undefined {
  if (!automation) return 'not sent: the automation was deleted';
  if (!automation.isActive) return 'not sent: the automation is switched off';
  const problem = accountProblem(account);
  return problem && `not sent: ${problem}`;
}

/** How soon, at the least and at the most, an action looks again whether the pause that stops it has ended. */
const shortestPausedMs = 5 * minuteMs;
const longestPausedMs = hourMs;

/**
 * Releases an action that a pause stops, for longer the older it is: a suspension may last for weeks, and comments keep
 * arriving. With jitter, because actions that a pause has stopped together must not come back together.
 */
export function waitForPause<Held extends AutomationAction>(work: HeldAction<Held>): Promise<Held> {
  const { now, chance } = work.ports;
  const ageMs = now() - Date.parse(work.action.createdAt);
  const waitMs = Math.min(longestPausedMs, Math.max(shortestPausedMs, ageMs / 4));
  return commitWait(work, now() + waitMs * (1 + chance() / 2));
}

/** Gets what a platform call needs. @throws PlatformError if there is no valid token, or the platform has no automations */
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

/** What is written in one transaction with a change of an action. */
export interface Alongside {
  readonly counts?: Partial<AutomationCounts>;
  readonly writes?: TransactionItems;
}

/** Commits a step of a held action. @throws LeaseLostError if the action was taken or changed since it was read */
export async function commit<Held extends AutomationAction>(
  { ports, action, onCommitted }: HeldAction<Held>,
  changes: ActionChanges,
  { counts, writes = [] }: Alongside = {},
): Promise<Held> {
  const { capChanges, capCounts } = ofCap(action, changes);
  const counted = counts || capCounts ? { ...counts, ...capCounts } : undefined;
  const alongside = [
    ...(counted ? [countUpdate(ports.table, action.automationId, action.commentId, counted)] : []),
    ...writes,
  ];
  const writeId = ports.uniqueId();
  const committed = await updateAction(
    ports.table,
    action,
    { ...changes, ...capChanges },
    {
      writeId,
      alongside,
    },
  );
  onCommitted(committed);
  // An update changes neither the kind of the action nor its owner.
  return committed as Held;
}

/** Counts a conversation that begins to wait for the hourly cap, and one that no longer does because it is sent or has ended. */
function ofCap(
  action: AutomationAction,
  { awaitsCap, state }: ActionChanges,
): { capChanges?: ActionChanges; capCounts?: Partial<AutomationCounts> } {
  const waits = action.kind === 'automationMessage' && action.awaitsCap === true;
  if (awaitsCap === true && !waits) return { capCounts: { awaitingCap: 1 } };
  const ends = waits && state !== undefined && state !== null && state !== 'waiting';
  return ends ? { capChanges: { awaitsCap: null }, capCounts: { awaitingCap: -1 } } : {};
}

/** A shorter wait is a delayed queue message. After a longer one, and after a long chain of messages, the sweep sends it. */
const shortestSweptMs = minuteMs;

/** Releases the action until `wakeMs`, in epoch milliseconds. */
export async function commitWait<Held extends AutomationAction>(
  work: HeldAction<Held>,
  wakeMs: number,
  changes: ActionChanges = {},
): Promise<Held> {
  const waiting = await commit(work, { ...released, ...changes, wakeAt: toTimestamp(wakeMs) });
  const waitMs = Math.max(0, wakeMs - work.ports.now());
  if (waitMs < shortestSweptMs) await work.ports.enqueue(messageOf(waiting), Math.ceil(waitMs / secondMs));
  return waiting;
}

/** Ends an action whose message was not sent. The reason is stored for operators. */
export function commitFailed<Held extends AutomationAction>(
  work: HeldAction<Held>,
  reason: string,
  changes: ActionChanges = {},
): Promise<Held> {
  const closed: ActionChanges = work.action.kind === 'automationMessage' ? { stage: 'closed' } : {};
  const failed = { ...changes, ...ended, ...closed, state: 'failed', error: shortReason(reason) } as const;
  return commit(work, failed, { counts: { failures: 1 } });
}

/**
 * Ends an action whose outcome is unknown.
 *
 * @param calls its records, the latest unsettled
 * @param where where a person can see what became of the call
 */
export function commitUnknown<Held extends AutomationAction>(
  work: HeldAction<Held>,
  calls: readonly CallRecord[],
  where: string,
  why: string | undefined,
): Promise<Held> {
  const unknown = { state: 'unknown', wakeAt: null, error: unknownReason(where, why) } as const;
  return commit(
    work,
    { ...released, ...unknown, calls: settleCall(calls, 'unknown', why) },
    { counts: { failures: 1 } },
  );
}

/** Says that the outcome is unknown, and `where` a person can see it. */
export function unknownReason(where: string, why: string | undefined): string {
  return shortReason(`outcome unknown, so it is not sent again: check ${where}${why ? ` (${why})` : ''}`);
}

/** @property isAskedFor whether the platform asks for the wait, which then is not a failure */
type Retry = Extract<FailureDecision, { kind: 'retry' }> & { readonly isAskedFor?: boolean };

/** Decides what to do about a failed call: see {@link judgeFailure}. */
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
  if (decision.kind === 'fail') return commitFailed(work, decision.reason, changes);
  return waitToRetry(work, decision, { ...changes, state: 'waiting', content: null });
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
