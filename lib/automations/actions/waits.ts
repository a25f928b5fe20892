import type { CountChanges } from '../counts.ts';
import type { WaitReason } from '../failure-codes.ts';
import type { AutomationAction } from '../schemas.ts';
import type { ActionChanges } from './store.ts';

/** What an action waits for. Earlier releases stored only whether it is the hourly limit. */
export function waitReasonOf(action: AutomationAction): WaitReason | undefined {
  if (action.waitsFor !== undefined) return action.waitsFor;
  return action.kind === 'automationMessage' && action.awaitsCap ? 'hourly_limit' : undefined;
}

/**
 * Completes a change of an action with what it waits for afterwards, and counts conversations that begin or end to wait. A
 * change that names no reason ends the wait if the action is to be worked again or has ended. Pure.
 */
export function withWait(
  action: AutomationAction,
  changes: ActionChanges,
): { readonly changes: ActionChanges; readonly counts?: CountChanges } {
  const before = waitReasonOf(action);
  const isMoved = changes.wakeAt !== undefined || (changes.state ?? action.state) !== action.state;
  const after = changes.waitsFor === undefined ? (isMoved ? undefined : before) : changes.waitsFor;
  if (before === (after ?? undefined)) return { changes };
  const isMessage = action.kind === 'automationMessage';
  return {
    changes: {
      ...changes,
      waitsFor: after ?? null,
      ...(isMessage && { awaitsCap: after === 'hourly_limit' ? true : null }),
    },
    ...(isMessage && {
      counts: { waiting: { ...(before && { [before]: -1 }), ...(after && { [after]: 1 }) } },
    }),
  };
}
