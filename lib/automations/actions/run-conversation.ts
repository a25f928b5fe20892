import { PlatformError } from '../../platforms/contract/errors.ts';
import type { FollowState, MessageContent, MessagingLimits } from '../../platforms/contract/messaging.ts';
import { LeaseLostError } from '../../table/lease.ts';
import type { Problem } from '../failure-codes.ts';
import type { MessageAction } from '../schemas.ts';
import { reconcile } from './at-most-once-call.ts';
import { giveBack, reserveMessage } from './hourly-cap.ts';
import { automationDeleted, missedWindow, noPlatform, obstacleOf, windowEndOf } from './obstacles.ts';
import { type ConversationWork, messageCall, type Sendable, sendMessage } from './send-message.ts';
import {
  commit,
  commitFailed,
  commitWait,
  failureProblem,
  judge,
  openCall,
  waitFor,
  waitOrFail,
  waitToRetry,
  withoutFailures,
} from './transitions.ts';
import { waitReasonOf } from './waits.ts';

/** Performs one step of the private conversation with one person. */
export async function runConversation(work: ConversationWork): Promise<MessageAction> {
  const { ports, action, automation, account } = work;
  if (action.state === 'intended') {
    const content = JSON.parse(action.content ?? '{}') as MessageContent;
    return reconcile(work, messageCall(work, content, action.asks));
  }
  if (!automation) return commitFailed(work, automationDeleted);
  if (automation.dmMessage === null) return commitFailed(work, messageRemoved);
  const limits = account && ports.commentPlatformFor(account.platform)?.limits;
  const endMs = windowEndOf(work);
  if (!account || !limits || endMs === undefined) return commitFailed(work, noPlatform(work));
  if (ports.now() >= endMs) return commitFailed(work, missedWindow(work, windowClosed(action, limits)));
  const obstacle = obstacleOf(work);
  if (obstacle) return waitFor(work, obstacle.code, endMs);
  const composing = {
    linkBaseUrl: ports.linkBaseUrl,
    limits,
    withoutButtons: action.withoutButtons ?? false,
  };
  const sendable = { ...work, automation, account, composing, endMs };
  switch (action.stage) {
    case 'opening':
      return openConversation(sendable);
    case 'gated':
      return checkFollow(sendable);
    case 'asking':
      if (automation.followGate !== null) return sendMessage(sendable);
      return sendMessage({ ...sendable, action: await commit(work, { stage: 'granting' }) });
    case 'granting':
      return sendMessage(sendable);
    case 'closed':
      throw new LeaseLostError('a closed conversation has no work left');
  }
}

const messageRemoved = {
  code: 'text_removed',
  text: 'not sent: the automation has no dmMessage any more',
} as const;

function windowClosed({ stage }: MessageAction, limits: MessagingLimits): Problem {
  const { privateReplyDays, windowHours } = limits;
  if (stage === 'opening')
    return {
      code: 'comment_too_old',
      text: `not sent: the comment is more than ${privateReplyDays} days old`,
    };
  const text = `not sent: the person has not answered within the last ${windowHours} hours`;
  return { code: 'window_closed', text };
}

/** Sends the private reply that a comment allows, once the account's hourly cap has room for it. */
async function openConversation(work: Sendable & { readonly endMs: number }): Promise<MessageAction> {
  const { ports, action, account, composing, endMs } = work;
  const { privateRepliesPerHour } = composing.limits;
  const reservation = await reserveMessage(ports.table, account, {
    automationId: action.automationId,
    now: ports.now(),
    maxPerHour: ports.privateRepliesPerHour ?? privateRepliesPerHour,
    chance: ports.chance(),
  });
  if (reservation.state === 'full')
    return commitWait(work, Math.min(endMs, reservation.wakeMs), {
      waitsFor: 'hourly_limit',
      ...withoutFailures,
    });
  const withoutButtons = composing.withoutButtons || reservation.isWithoutButtons;
  const sent = await sendMessage({ ...work, composing: { ...composing, withoutButtons } });
  if (isOnlyLooking(action, sent)) {
    const given = { place: reservation.place, writeId: ports.uniqueId() };
    await giveBack(ports.table, account, given).catch((error: unknown) =>
      ports.report('a place under the hourly cap could not be given back', error),
    );
  }
  return sent;
}

/**
 * True if nothing was sent, and the platform was not asked or has refused the account. Such an action checks again for days and
 * must not take the places of others. A refusal for another reason may count at the platform, so it counts here.
 */
function isOnlyLooking(before: MessageAction, after: MessageAction): boolean {
  if (after.stage !== 'opening' || after.state !== 'waiting') return false;
  const isAsked = after.calls?.at(-1)?.intentAt !== before.calls?.at(-1)?.intentAt;
  return waitReasonOf(after) !== undefined || !isAsked;
}

/** Handles a tap: sends the message to followers and to people whose follow state is unknown; asks all others again. */
async function checkFollow(work: Sendable): Promise<MessageAction> {
  const { action, automation } = work;
  let follows: FollowState = 'not known';
  if (automation.followGate !== null) {
    try {
      const { access, platform, tools } = await openCall(work);
      follows = await platform.followState({ ...access, personId: action.personId }, tools);
    } catch (error) {
      const isRefusal =
        error instanceof PlatformError && (error.remedy === 'rejected' || error.remedy === 'restricted');
      if (!isRefusal) {
        const decision = await judge(work, error);
        if (decision.kind === 'retry') return waitToRetry(work, decision);
        if (decision.account) return waitOrFail(work, failureProblem(error, decision));
      }
    }
  }
  const stage = follows === 'does not follow' ? 'asking' : 'granting';
  const next = await commit(work, {
    stage,
    turn: action.turn + 1,
    ...withoutFailures,
  });
  return sendMessage({ ...work, action: next });
}
