import type { Account } from '../../accounts/schemas.ts';
import { firstIntentMs } from '../../at-most-once/call-records.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { PlatformError } from '../../platforms/contract/errors.ts';
import type {
  FollowState,
  MessageContent,
  MessagingLimits,
  SentMessage,
} from '../../platforms/contract/messaging.ts';
import { LeaseLostError } from '../../table/lease.ts';
import type { TransactionItems } from '../../table/transaction.ts';
import type { Problem } from '../failure-codes.ts';
import type { Automation, MessageAction } from '../schemas.ts';
import { type AtMostOnceCall, execute, reconcile } from './at-most-once-call.ts';
import { awaitAnswerWrite } from './awaited-answers.ts';
import { type Composing, composeMessage, composeQuestion } from './compose.ts';
import { automationDeleted, missedWindow, noPlatform, obstacleOf, windowEndOf } from './obstacles.ts';
import { countRepeatedMessage, giveBack, noteRefusedButtons, reserveMessage } from './private-reply-cap.ts';
import { type ActionChanges, actionKey, clockSkewMs, ended, findAction } from './store.ts';
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
import type { Work } from './work.ts';

/** A held conversation with the items to which it belongs. */
type ConversationWork = Work<MessageAction>;
/** A held conversation that may send its next message now. */
type Sendable = ConversationWork & {
  readonly automation: Automation;
  readonly account: Account;
  readonly composing: Composing;
};

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

/**
 * Sends the message of the current stage. If the platform refuses it because of its buttons, nothing was sent, and it is sent as
 * text. Only if the platform accepts the text were the buttons the reason; the next private replies then do without them.
 */
async function sendMessage(work: Sendable): Promise<MessageAction> {
  const { action } = work;
  const asks = isQuestion(work);
  const content = asks ? question(work) : composeMessage(work.automation, work.composing);
  const hasButtons = (content.buttons?.length ?? 0) > 0;
  const needsAnswer = asks && !hasButtons && !action.withoutButtons;
  const begun = needsAnswer ? { ...work, action: await commitWithoutButtons(work, true) } : work;
  const sent = await execute(begun, messageCall(begun, content, asks));
  const isRefused = hasButtons && sent.state === 'waiting' && sent.withoutButtons && !action.withoutButtons;
  if (!isRefused) return sent;
  const asText = await sendMessage({
    ...work,
    action: sent,
    composing: { ...work.composing, withoutButtons: true },
  });
  if (action.stage === 'opening' && asText.messageId !== action.messageId) {
    const { ports, account } = work;
    const refused = { automationId: action.automationId, now: ports.now() };
    await noteRefusedButtons(ports.table, account, refused).catch((error: unknown) =>
      ports.report('refused buttons could not be recorded, so they are tried again', error),
    );
  }
  return asText;
}

function question({ automation, action, composing }: Sendable): MessageContent {
  const followGate = automation.followGate ?? emptyGate;
  return composeQuestion({ ...automation, followGate }, action.turn, action.stage === 'asking', composing);
}

const emptyGate = { message: '', buttonLabel: '', notFollowingMessage: '' };

/** True if the message asks for a tap: the gate's first question, or the question to a person who does not follow. */
const isQuestion = ({ action, automation }: Pick<Sendable, 'action' | 'automation'>): boolean =>
  action.stage === 'asking' || (action.stage === 'opening' && automation.followGate !== null);

/** @param asks true if the message asks for a tap: any answer of the person then counts as one from now on */
function commitWithoutButtons(
  work: ConversationWork,
  asks: boolean,
  changes: ActionChanges = {},
): Promise<MessageAction> {
  const writes = asks ? [awaitAnswerWrite(work.ports.table, work.action, work.ports.now())] : [];
  return commit(work, { ...changes, withoutButtons: true }, { writes });
}

/**
 * Returns the call that sends a message: a private reply if it opens the conversation, otherwise an ordinary message.
 *
 * @param asks true if it asks for a tap or an answer; `undefined` if an earlier release began the call
 */
function messageCall(
  work: ConversationWork,
  content: MessageContent,
  asks: boolean | undefined,
): AtMostOnceCall<MessageAction, SentMessage> {
  const { commentId, parentId, personId, stage, lastHeardAt = '', withoutButtons } = work.action;
  const comment = { commentId, parentId };
  // A tap proves that an earlier message has arrived, but not which id it has, so only its time distinguishes it. Without
  // buttons, an answer that comes while the message is sent has a later time than the message.
  const answeredMs = stage === 'opening' || withoutButtons ? undefined : Date.parse(lastHeardAt);
  return {
    kind: stage === 'opening' ? 'private reply' : 'message',
    content,
    intent: intentOf(work, content, asks),
    send: (platform, call, tools) =>
      stage === 'opening'
        ? platform.sendPrivateReply({ ...call, comment }, tools)
        : platform.sendMessage({ ...call, personId }, tools),
    find: (platform, call, tools) => platform.findMessage({ ...call, personId, answeredMs }, tools),
    idOf: ({ messageId }) => messageId,
    isGuess: ({ isGuess = false }) => isGuess,
    // Only a private reply may be made again.
    beforeRepeat: countRepeat,
    succeed: (held, { messageId }, changes, writes) =>
      commitSent(held, { messageId, isAsking: asks ?? askedBefore(held, content), changes, writes }),
    refused: (held, refusedFor, changes) =>
      refusedFor === 'buttons'
        ? afterRefusedButtons(held, content, changes)
        : refusedFor === 'window'
          ? commitFailed(held, refusedAsLate, changes)
          : undefined,
  };
}

const refusedAsLate = {
  code: 'window_closed',
  text: 'not sent: the person has not answered within the last 24 hours',
} as const;

/**
 * Returns the data that is stored with the intent: whether the message asks and, if it has no button, that the answer is awaited.
 */
function intentOf({ ports, action }: ConversationWork, content: MessageContent, asks: boolean | undefined) {
  if (asks === undefined) return undefined;
  const isAwaited = asks && !hasTap(content);
  const writes = isAwaited ? [awaitAnswerWrite(ports.table, action, ports.now())] : [];
  return { changes: { asks }, writes };
}

async function countRepeat({ ports, account }: ConversationWork): Promise<void> {
  const limits = account && ports.commentPlatformFor(account.platform)?.limits;
  if (!account || !limits) return;
  const maxPerHour = ports.privateRepliesPerHour ?? limits.privateRepliesPerHour;
  await countRepeatedMessage(ports.table, account, { now: ports.now(), maxPerHour });
}

/**
 * True if a message that an earlier release began to send asks for a tap. A question has a tap button. A question sent as text
 * has no such mark, so the automation's present follow gate decides.
 */
function askedBefore({ action, automation }: ConversationWork, content: MessageContent): boolean {
  if (action.stage === 'asking') return true;
  if (action.stage !== 'opening') return false;
  return hasTap(content) || (action.withoutButtons === true && (automation?.followGate ?? null) !== null);
}

const hasTap = ({ buttons = [] }: MessageContent): boolean => buttons.some(({ type }) => type === 'postback');

function afterRefusedButtons(
  work: ConversationWork,
  content: MessageContent,
  changes: ActionChanges,
): Promise<MessageAction> {
  return commitWithoutButtons(work, hasTap(content), {
    ...changes,
    state: 'waiting',
    content: null,
    wakeAt: toTimestamp(work.ports.now()),
  });
}

/** The data that is committed once a message was sent. */
interface SentChanges {
  readonly messageId: string;
  readonly isAsking: boolean;
  readonly changes: ActionChanges;
  readonly writes: TransactionItems;
}

/**
 * Commits that a message was sent. If the person answered a question sent as text before this commit, moves on.
 *
 * @param isHeard true if an answer was stored while this worker sent the message
 */
async function commitSent(
  work: ConversationWork,
  committing: SentChanges,
  isHeard = false,
): Promise<MessageAction> {
  const { messageId, isAsking, changes, writes } = committing;
  const { ports, action } = work;
  // For an earlier worker's call, only times show if an answer came after it: the answer that led to the question
  // must not count again. The records of the held action, because the first of several repeated calls may have sent it.
  const sinceMs = firstIntentMs(action.calls ?? []) + clockSkewMs;
  const isAnswered =
    isAsking && action.withoutButtons === true && (isHeard || Date.parse(action.lastHeardAt ?? '') > sinceMs);
  const counts = { messages: 1 };
  const sent: ActionChanges = {
    ...changes,
    ...ended,
    error: null,
    messageId,
    sentAt: toTimestamp(ports.now()),
    stage: isAsking ? 'gated' : 'closed',
    ...(isAnswered ? { state: 'waiting', wakeAt: toTimestamp(ports.now()) } : { state: 'done' }),
  };
  try {
    return await commit(work, sent, { counts, writes });
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error;
    const current = await findAction(ports.table, actionKey(action));
    const isOurs = current?.kind === 'automationMessage' && current.attempt === action.attempt;
    if (!isOurs || current.state !== action.state || current.lastHeardAt === action.lastHeardAt) throw error;
    return commitSent({ ...work, action: current }, committing, true);
  }
}
