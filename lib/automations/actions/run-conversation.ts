import { countFailure } from '../../at-most-once/retry-policy.ts';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../kernel/clock.ts';
import { PlatformError } from '../../platforms/contract/errors.ts';
import type { FollowState, MessageContent, SentMessage } from '../../platforms/contract/messaging.ts';
import type { Automation, MessageAction } from '../schemas.ts';
import { type Deed, perform, reconcile } from './at-most-once-call.ts';
import { awaitAnswerWrite } from './awaited-answers.ts';
import { type Composing, composeMessage, composeQuestion } from './compose.ts';
import { noteRefusedButtons, reserveMessage } from './hourly-cap.ts';
import { ActionLostError, actionKey, findAction } from './store.ts';
import {
  commit,
  commitFailed,
  commitWait,
  ended,
  judge,
  openCall,
  problemOf,
  type Work,
} from './transitions.ts';

type Talk = Work<MessageAction>;
type Sendable = Talk & { readonly rule: Automation; readonly composing: Composing };

/** What is told of a person's last word may be a little late. */
const windowReserveMs = minuteMs;

/** The private conversation with one person: one step of it. */
export async function actMessage(work: Talk): Promise<MessageAction> {
  const { ports, action, rule, account } = work;
  if (action.state === 'intended') {
    const content = JSON.parse(action.content ?? '{}') as MessageContent;
    const except = action.messageId === undefined ? [] : [action.messageId];
    return reconcile(work, messageDeed(work, content), except);
  }
  const problem = problemOf(work);
  const limits = account && ports.commentPlatformFor(account.platform)?.limits;
  if (problem !== undefined || !rule || !limits) {
    return commitFailed(work, problem ?? 'not sent: the account takes no messages');
  }
  const composing = {
    publicBaseUrl: ports.publicBaseUrl,
    limits,
    withoutButtons: action.withoutButtons ?? false,
  };
  const sendable = { ...work, rule, composing };
  switch (action.stage) {
    case 'opening':
      return open(sendable);
    case 'gated':
    case 'asking':
    case 'granting': {
      const closesMs = Date.parse(action.lastHeardAt ?? '') + limits.windowHours * hourMs - windowReserveMs;
      // Not a number: nobody was heard.
      if (!(ports.now() < closesMs)) {
        return commitFailed(work, `not sent: the person last answered ${limits.windowHours} hours ago`);
      }
      return action.stage === 'gated' ? checkFollow(sendable) : send(sendable);
    }
    case 'closed':
      throw new ActionLostError('a closed conversation waits for nothing');
  }
}

/** The private reply that a comment allows, when the hour has room for it. */
async function open(work: Sendable): Promise<MessageAction> {
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
  return send({ ...work, composing: { ...composing, withoutButtons } });
}

/** Sends what the stage asks for. Where buttons are refused, the same as text: of the refused nothing has gone out. */
async function send(work: Sendable): Promise<MessageAction> {
  const { action } = work;
  const asks = isQuestion(work);
  const content = asks ? question(work) : composeMessage(work.rule, work.composing);
  const hasButtons = (content.buttons?.length ?? 0) > 0;
  const needsAnswer = asks && !hasButtons && !action.withoutButtons;
  const begun = needsAnswer ? { ...work, action: await commitWithoutButtons(work, true) } : work;
  const sent = await perform(begun, messageDeed(begun, content));
  const isRefused = hasButtons && sent.state === 'waiting' && sent.withoutButtons && !action.withoutButtons;
  if (!isRefused) return sent;
  return send({ ...work, action: sent, composing: { ...work.composing, withoutButtons: true } });
}

function question({ rule, action, composing }: Sendable): MessageContent {
  const followGate = rule.followGate ?? emptyGate;
  return composeQuestion({ ...rule, followGate }, action.turn, action.stage === 'asking', composing);
}

const emptyGate = { message: '', buttonLabel: '', notFollowingMessage: '' };

/** Whether the message asks for a tap: the gate's first question, or the one to who does not follow. */
const isQuestion = ({ action, rule }: Pick<Sendable, 'action' | 'rule'>): boolean =>
  action.stage === 'asking' || (action.stage === 'opening' && rule.followGate !== null);

/** @param asks whether a tap is asked for: from now on any answer of the person is one */
function commitWithoutButtons(work: Talk, asks: boolean, changes = {}): Promise<MessageAction> {
  const writes = asks ? [awaitAnswerWrite(work.ports.table, work.action, work.ports.now())] : [];
  return commit(work, { ...changes, withoutButtons: true }, { writes });
}

function messageDeed(work: Talk, content: MessageContent): Deed<MessageAction, SentMessage> {
  const { commentId, parentId, personId, stage } = work.action;
  const comment = { commentId, parentId };
  return {
    content,
    send: (platform, call, tools) =>
      stage === 'opening'
        ? platform.sendPrivateReply({ ...call, comment }, tools)
        : platform.sendMessage({ ...call, personId }, tools),
    find: (platform, call, tools) => platform.findMessage({ ...call, personId }, tools),
    succeed: (held, { messageId }) => commitSent(held, messageId, asksForTap(held, content)),
    refused: (held, refusedFor) =>
      refusedFor === 'buttons'
        ? afterRefusedButtons(held, content)
        : refusedFor === 'window'
          ? commitFailed(held, 'not sent: the person has not answered within the last 24 hours')
          : undefined,
    mayRepeat: stage !== 'opening',
  };
}

/** What was sent tells by itself, whatever became of the rule: a question carries a tap, or is text that awaits any answer. */
function asksForTap({ action, rule }: Talk, content: MessageContent): boolean {
  if (action.stage === 'asking') return true;
  if (action.stage !== 'opening') return false;
  return hasTap(content) || (action.withoutButtons === true && (rule?.followGate ?? null) !== null);
}

const hasTap = ({ buttons = [] }: MessageContent): boolean => buttons.some(({ type }) => type === 'postback');

async function afterRefusedButtons(work: Talk, content: MessageContent): Promise<MessageAction> {
  if (work.action.stage === 'opening') {
    await noteRefusedButtons(work.ports.table, work.action, work.ports.now());
  }
  return commitWithoutButtons(work, hasTap(content), {
    state: 'waiting',
    intentAt: null,
    content: null,
    wakeAt: toTimestamp(work.ports.now()),
  });
}

/** A message has gone out. Who answered text between its sending and now has answered it. */
async function commitSent(work: Talk, messageId: string, isAsking: boolean): Promise<MessageAction> {
  const { ports, action } = work;
  const isAnswered =
    isAsking && action.withoutButtons === true && (action.lastHeardAt ?? '') > (action.intentAt ?? '');
  const counts = { messages: 1 };
  const sent = { ...ended, error: null, messageId, stage: isAsking ? 'gated' : 'closed' };
  const changes = isAnswered
    ? { ...sent, state: 'waiting', wakeAt: toTimestamp(ports.now()) }
    : { ...sent, state: 'done' };
  try {
    return await commit(work, changes, { counts });
  } catch (error) {
    if (!(error instanceof ActionLostError)) throw error;
    const now = await findAction(ports.table, actionKey(action));
    const isOurs = now?.kind === 'automationMessage' && now.attempt === action.attempt;
    if (!isOurs || now.state !== action.state || now.lastHeardAt === action.lastHeardAt) throw error;
    return commitSent({ ...work, action: now }, messageId, isAsking);
  }
}

/** They tapped: a follower gets the link, and so does everybody of whom it is not known. */
async function checkFollow(work: Sendable): Promise<MessageAction> {
  const { action, rule } = work;
  let follows: FollowState = 'not known';
  if (rule.followGate !== null) {
    try {
      const { call, platform, tools } = await openCall(work);
      follows = await platform.followState({ ...call, personId: action.personId }, tools);
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
  return send({ ...work, action: next });
}
