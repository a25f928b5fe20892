import { type CountChanges, sumOfCounts } from '../counts.ts';
import type { WaitReason } from '../failure-codes.ts';
import type { AutomationAction, MessageAction } from '../schemas.ts';
import type { ActionChanges } from './store.ts';

/**
 * Returns the reason that an action waits. Earlier releases store only whether it is the hourly limit. During a deployment they
 * may continue an action of this release, so only `awaitsCap` says whether a message waits for that limit and is counted as such.
 */
export function waitReasonOf(action: AutomationAction): WaitReason | undefined {
  const { waitsFor } = action;
  if (action.kind !== 'automationMessage') return waitsFor;
  if (waitsFor !== undefined && waitsFor !== 'hourly_limit') return waitsFor;
  return action.awaitsCap ? 'hourly_limit' : undefined;
}

/**
 * Completes a change of an action with the reason for its wait afterwards, and counts the conversations that begin or end to
 * wait. A change without a reason ends the wait if the action is reopened or has ended. Pure.
 */
export function withWait(
  action: AutomationAction,
  changes: ActionChanges,
): { readonly changes: ActionChanges; readonly counts?: CountChanges | undefined } {
  const before = waitReasonOf(action);
  const isMessage = action.kind === 'automationMessage';
  const isMoved = changes.wakeAt !== undefined || (changes.state ?? action.state) !== action.state;
  const after = changes.waitsFor === undefined ? (isMoved ? undefined : before) : changes.waitsFor;
  const counted = isMessage ? countedReasons(action) : [];
  if (before === (after ?? undefined) && counted.length < 2) return { changes };
  return {
    changes: {
      ...changes,
      waitsFor: after ?? null,
      ...(isMessage && { awaitsCap: after === 'hourly_limit' ? true : null }),
    },
    ...(isMessage && {
      counts: sumOfCounts(
        ...counted.map((reason) => ({ waiting: { [reason]: -1 } })),
        after ? { waiting: { [after]: 1 } } : undefined,
      ),
    }),
  };
}

/**
 * Returns the reasons for which a message is counted as waiting: two if an earlier release has added the hourly limit to another.
 */
function countedReasons(action: MessageAction): readonly WaitReason[] {
  const reason = waitReasonOf(action);
  const isAdded = action.awaitsCap && reason !== 'hourly_limit';
  return [...(reason ? [reason] : []), ...(isAdded ? (['hourly_limit'] as const) : [])];
}
