import { countFailure } from '../../at-most-once/retry-policy.ts';
import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts';
import { PlatformError } from '../../platforms/contract/errors.ts';
import type { FollowState, MessageContent } from '../../platforms/contract/messaging.ts';
import type { MessageAction } from '../schemas.ts';
import { reconcile } from './at-most-once-call.ts';
import { reserveMessage } from './hourly-cap.ts';
import { type ConversationWork, messageCall, type Sendable, sendMessage } from './send-message.ts';
import { ActionLostError } from './store.ts';
import { commit, commitFailed, commitWait, judge, openCall, problemOf } from './transitions.ts';

/** What is told of a person's last word may be a little late. */
const windowReserveMs = minuteMs;

/** The private conversation with one person: one step of it. */
export async function runConversation(work: ConversationWork): Promise<MessageAction> {
  const { ports, action, automation, account } = work;
  if (action.state === 'intended') {
    const content = JSON.parse(action.content ?? '{}') as MessageContent;
    const except = action.messageId === undefined ? [] : [action.messageId];
    return reconcile(work, messageCall(work, content), except);
  }
  const problem = problemOf(work);
  const limits = account && ports.commentPlatformFor(account.platform)?.limits;
  if (problem !== undefined || !automation || !limits) {
    return commitFailed(work, problem ?? 'not sent: the account takes no messages');
  }
  const composing = {
    publicBaseUrl: ports.publicBaseUrl,
    limits,
    withoutButtons: action.withoutButtons ?? false,
  };
  const sendable = { ...work, automation, composing };
  switch (action.stage) {
    case 'opening':
      return openConversation(sendable);
    case 'gated':
    case 'asking':
    case 'granting': {
      const closesMs = Date.parse(action.lastHeardAt ?? '') + limits.windowHours * hourMs - windowReserveMs;
      // Not a number: nobody was heard.
      if (!(ports.now() < closesMs)) {
        return commitFailed(work, `not sent: the person last answered ${limits.windowHours} hours ago`);
      }
      return action.stage === 'gated' ? checkFollow(sendable) : sendMessage(sendable);
    }
    case 'closed':
      throw new ActionLostError('a closed conversation waits for nothing');
  }
}

/** The private reply that a comment allows, when the hour has room for it. */
async function openConversation(work: Sendable): Promise<MessageAction> {
  const { ports, action, composing } = work;
  const { privateReplyDays, privateRepliesPerHour } = composing.limits;
  if (ports.now() > Date.parse(action.createdAt) + privateReplyDays * dayMs) {
    return commitFailed(work, `not sent: the comment is more than ${privateReplyDays} days old`);
  }
  const reservation = await reserveMessage(ports.table, action, {
    now: ports.now(),
    most: ports.privateRepliesPerHour ?? privateRepliesPerHour,
    chance: ports.chance(),
  });
  if (reservation.state === 'full') return commitWait(work, reservation.wakeMs);
  const withoutButtons = composing.withoutButtons || reservation.isWithoutButtons;
  return sendMessage({ ...work, composing: { ...composing, withoutButtons } });
}

/** They tapped: a follower gets the link, and so does everybody of whom it is not known. */
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
        if (decision.kind === 'retry') {
          return commitWait(
            work,
            decision.wakeMs,
            decision.isAskedFor ? {} : countFailure(work.action, work.ports.now()),
          );
        }
        if (decision.account) return commitFailed(work, decision.reason);
      }
    }
  }
  const stage = follows === 'does not follow' ? 'asking' : 'granting';
  const next = await commit(work, {
    stage,
    turn: action.turn + 1,
    failures: 0,
    firstFailureAt: null,
  });
  return sendMessage({ ...work, action: next });
}
