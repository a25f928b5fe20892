import { accountState } from '../accounts/schemas.ts';
import { findAccount } from '../accounts/store.ts';
import { actionFromItem } from '../automations/actions/item.ts';
import { waitReasonOf } from '../automations/actions/waits.ts';
import { type AutomationCounts, readCounts } from '../automations/counts.ts';
import { type Actor, type FailureCode, failureCodes } from '../automations/failure-codes.ts';
import { type AutomationAction, automationState } from '../automations/schemas.ts';
import { findAutomation } from '../automations/store.ts';
import { notFound } from '../kernel/errors.ts';
import { readPause } from '../pauses/read.ts';
import { anyOf, either } from '../table/condition.ts';
import { automationPartition } from '../table/keys.ts';
import { queryPages } from '../table/query.ts';
import { readableItems } from '../table/readable.ts';
import type { Table } from '../table/table.ts';
import { findOwner } from './find-owner.ts';
import { sameReason } from './why-post.ts';

/** Actions that wait or have failed for the same reason. */
export interface ActionGroup {
  readonly state: 'waiting' | 'intended' | 'failed' | 'unknown';
  /** `reply` to a comment, or `message` to a person. */
  readonly what: 'reply' | 'message';
  readonly count: number;
  /** Null for a message that waits for the person, or for another try. */
  readonly code: FailureCode | null;
  readonly whoCanAct: Actor | null;
  readonly reason: string | null;
  /** The earliest time at which one of them is due next; null if none is. */
  readonly nextAt: string | null;
  /** A comment of the group, for the log. */
  readonly commentId: string;
}

export interface AutomationReason {
  readonly automationId: string;
  readonly workspaceId: string;
  readonly accountId: string;
  readonly accountState: string;
  readonly state: string;
  /** The reason of the pause, if everything waits; null if there is none. */
  readonly pausedFor: string | null;
  readonly counts: AutomationCounts;
  /** The waiting and failed actions, the most frequent first. */
  readonly groups: readonly ActionGroup[];
  /** True if there are more actions than were read. */
  readonly isCut: boolean;
}

/** The maximum number of items that are read per automation. */
const maxItems = 5_000;

/**
 * Explains an automation: its counts, its waiting and failed actions, and the reasons. For operators, who need not know its
 * workspace. Leaves out what people wrote.
 *
 * @throws HeraldError `not_found`
 */
export async function explainAutomation(table: Table, automationId: string): Promise<AutomationReason> {
  const workspaceId = await findOwner(table, 'automation', automationId);
  const automation = await findAutomation(table, workspaceId, automationId);
  if (!automation) throw notFound('automation');
  const { accountId } = automation;
  const account = await findAccount(table, workspaceId, accountId);
  const [counts, open, pause] = await Promise.all([
    readCounts(table, automationId),
    readOpenActions(table, automationId),
    account && readPause(table, { workspaceId, accountId, platform: account.platform }),
  ]);
  return {
    automationId,
    workspaceId,
    accountId,
    accountState: account ? accountState(account) : 'unknown',
    state: automationState(automation),
    pausedFor: pause?.reason ?? null,
    counts,
    groups: groupActions(open.actions),
    isCut: open.isCut,
  };
}

/** Reads the actions that have not succeeded, and conversations that wait for the person. */
async function readOpenActions(table: Table, automationId: string) {
  const actions: AutomationAction[] = [];
  let read = 0;
  const open = {
    partition: automationPartition(automationId),
    filter: { [either]: [{ state: anyOf('waiting', 'intended', 'failed', 'unknown') }, { stage: 'gated' }] },
    isEventual: true,
    limit: 1_000,
  };
  for await (const page of queryPages(table, open)) {
    actions.push(...readableItems(table, page, actionFromItem));
    read += open.limit;
    if (read >= maxItems) return { actions, isCut: true };
  }
  return { actions, isCut: false };
}

/** Groups actions by state and reason, the largest group first. Pure. */
export function groupActions(actions: readonly AutomationAction[]): ActionGroup[] {
  const groups = Map.groupBy(
    actions,
    (action) => `${action.kind} ${action.state} ${sameReason(reasonOf(action) ?? '')}`,
  );
  return [...groups.values()]
    .flatMap((same) => {
      const [first] = same;
      if (!first) return [];
      const times = same.flatMap(({ wakeAt }) => wakeAt ?? []).toSorted();
      return [
        {
          state: first.state === 'done' ? ('waiting' as const) : first.state,
          what: first.kind === 'automationReply' ? ('reply' as const) : ('message' as const),
          count: same.length,
          code: codeOf(first) ?? null,
          whoCanAct: actorOf(first),
          reason: reasonOf(first),
          nextAt: times[0] ?? null,
          commentId: first.commentId,
        },
      ];
    })
    .sort((one, other) => other.count - one.count);
}

/** Returns the code of its failure or wait; a failure that an earlier release stored has no code. */
const codeOf = (action: AutomationAction): FailureCode | undefined =>
  action.errorCode ?? waitReasonOf(action);

function actorOf(action: AutomationAction): Actor | null {
  const code = codeOf(action);
  if (code !== undefined) return failureCodes[code].whoCanAct;
  return action.state === 'done' ? 'commenter' : null;
}

function reasonOf(action: AutomationAction): string | null {
  if (action.error !== undefined) return action.error;
  if (action.state === 'failed') return null;
  if (action.state === 'done') return 'the person has not tapped the button';
  if (action.state === 'unknown') return 'it may have been sent, and is not sent again';
  const waitsFor = waitReasonOf(action);
  if (waitsFor !== undefined) return failureCodes[waitsFor].message;
  if (action.failures > 0) return `tried again, after ${action.failures} failures`;
  return null;
}
