import { toTimestamp } from '../../kernel/clock.ts';
import type { MessagingLimits } from '../../platforms/contract/messaging.ts';
import type { CountChanges } from '../counts.ts';
import type { InboundComment, MessageAction } from '../schemas.ts';
import { conversationExpiry } from './new-actions.ts';
import { type ActionChanges, ended } from './store.ts';
import { answerWindowEndMs } from './windows.ts';

/** The changes that reopen a conversation, with their counts. */
export interface Reopening {
  readonly changes: ActionChanges;
  readonly counts: CountChanges | undefined;
}

/**
 * Returns the changes by which another matching comment of the person reopens a failed conversation. It continues at the point of
 * failure if messages to the person are still accepted; otherwise it starts again with this comment. Raises the fencing token; a
 * restart also raises the turn, so that the buttons of the first try count as older ones. Pure.
 *
 * @param options.now epoch milliseconds
 * @returns `undefined` if the conversation has not failed: a comment proves nothing about an unknown outcome
 */
export function reopenedByComment(
  action: MessageAction,
  { commentId, parentId, at }: InboundComment,
  { now, windowHours }: Pick<MessagingLimits, 'windowHours'> & { readonly now: number },
): Reopening | undefined {
  if (action.state !== 'failed') return undefined;
  const wasAnswered = action.stage !== 'opening' && action.stage !== 'closed';
  // If the platform has refused the message because of its window, only a private reply can still be sent.
  const isOpen = action.errorCode !== 'window_closed' && now < answerWindowEndMs(action, { windowHours });
  const goesOn = wasAnswered && isOpen;
  const again: ActionChanges = {
    stage: 'opening',
    turn: action.turn + 1,
    commentId,
    parentId: parentId ?? null,
    createdAt: at,
    lastHeardAt: null,
    withoutButtons: null,
    expiresAtSeconds: conversationExpiry(now),
  };
  return {
    changes: { ...reopened(action, now), ...(goesOn ? {} : again) },
    counts: undone(action),
  };
}

/** Returns the changes of every conversation that is reopened. @param now epoch milliseconds */
export function reopened(action: MessageAction, now: number): ActionChanges {
  return {
    ...ended,
    state: 'waiting',
    error: null,
    errorCode: null,
    attempt: action.attempt + 1,
    wakeAt: toTimestamp(now),
  };
}

/**
 * Returns the changes that undo the count of a conversation that has failed or has an unknown outcome; `undefined` for others.
 */
export function undone({ state, errorCode }: MessageAction): CountChanges | undefined {
  if (state !== 'failed' && state !== 'unknown') return undefined;
  // An earlier release counted the failure without a code.
  return { failures: { [errorCode ?? 'other']: -1 } };
}
