import { dayMs, hourMs, minuteMs } from '../../kernel/clock.ts';
import { PlatformError } from '../../platforms/contract/errors.ts';
import type { FollowState, MessageContent } from '../../platforms/contract/messaging.ts';
import { LeaseLostError } from '../../table/lease.ts';
import type { MessageAction } from '../schemas.ts';
import { reconcile } from './at-most-once-call.ts';
import { reserveMessage } from './hourly-cap.ts';
import { type ConversationWork, messageCall, type Sendable, sendMessage } from './send-message.ts';
import {
  commit,
  commitFailed,
  commitWait,
  judge,
  openCall,
  problemOf,
  waitForPause,
  waitToRetry,
} from './transitions.ts';

/** The recorded time of a person's last message may be a little late. */
const windowReserveMs = minuteMs;

/** Works one step of the private conversation with one person. */
export async function runConversation(work: ConversationWork): Promise<MessageAction> {
  const { ports, action, automation, account } = work;
  if (action.state === 'intended') {
    const content = JSON.parse(action.content ?? '{}') as MessageContent;
    return reconcile(work, messageCall(work, content));
  }
  const problem = problemOf(work);
  const limits = account && ports.commentPlatformFor(account.platform)?.limits;
  if (problem !== undefined || !automation || !account || !limits) {
    return commitFailed(work, problem ?? 'not sent: this platform has no comment automations');
  }
  const composing = {
    publicBaseUrl: ports.publicBaseUrl,
    limits,
    withoutButtons: action.withoutButtons ?? false,
  };
  const sendable = { ...work, automation, account, composing };
  switch (action.stage) {
    case 'opening':
      return openConversation(sendable);
    case 'gated':
    case 'asking':
    case 'granting': {
      const closesMs = Date.parse(action.lastHeardAt ?? '') + limits.windowHours * hourMs - windowReserveMs;
      // `closesMs` is NaN if the person has never answered.
      if (!(ports.now() < closesMs)) {
        return commitFailed(
          work,
          `not sent: the person has not answered within the last ${limits.windowHours} hours`,
        );
      }
      if (work.pause) return waitForPause(work);
      return action.stage === 'gated' ? checkFollow(sendable) : sendMessage(sendable);
    }
    case 'closed':
      throw new LeaseLostError('a closed conversation has no work left');
  }
}

/** Sends the private reply that a comment allows, once the account's hourly cap has room for it. */
async function openConversation(work: Sendable): Promise<MessageAction> {
  const { ports, action, account, composing } = work;
  const { privateReplyDays, privateRepliesPerHour } = composing.limits;
  if (ports.now() > Date.parse(action.createdAt) + privateReplyDays * dayMs) {
    return commitFailed(work, `not sent: the comment is more than ${privateReplyDays} days old`);
  }
  if (work.pause) return waitForPause(work);
  const reservation = await reserveMessage(ports.table, account, {
    automationId: action.automationId,
    now: ports.now(),
    maxPerHour: ports.privateRepliesPerHour ?? privateRepliesPerHour,
    chance: ports.chance(),
  });
  if (reservation.state === 'full') return commitWait(work, reservation.wakeMs, { awaitsCap: true });
  const withoutButtons = composing.withoutButtons || reservation.isWithoutButtons;
  return sendMessage({ ...work, composing: { ...composing, withoutButtons } });
}

/** After a tap: sends the message to followers, and to people whose follow state is not known; asks others again. */
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
