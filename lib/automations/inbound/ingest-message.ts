import type { Account } from '../../accounts/schemas.ts';
import { settleCall, unsettledCall } from '../../at-most-once/call-records.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import type { MessageEvent, TapEvent } from '../../platforms/contract/inbound.ts';
import { batchGet } from '../../table/batch-get.ts';
import { automationPersonKey } from '../../table/keys.ts';
import { retentionOf, type Table } from '../../table/table.ts';
import { type TransactionItems, transact, updatePart } from '../../table/transaction.ts';
import { automationsAwaitingAnswer } from '../actions/awaited-answers.ts';
import { keptCalls } from '../actions/call-records.ts';
import { actionFromItem } from '../actions/item.ts';
import { conversationExpiry, newConversationByMessage } from '../actions/new-actions.ts';
import { reopened, undone } from '../actions/reopen.ts';
import {
  type ActionChanges,
  actionKey,
  actionPut,
  actionUpdate,
  clockSkewMs,
  messageOf,
} from '../actions/store.ts';
import { readTap } from '../actions/taps.ts';
import { withWait } from '../actions/waits.ts';
import { awaitsNoAnswer, isMovedBy } from '../conversation-states.ts';
import { type CountChanges, countUpdate, sumOfCounts } from '../counts.ts';
import { withoutOwnMention } from '../matching/own-mention.ts';
import type { AutomationMessage, InboundMessage, MessageAction } from '../schemas.ts';
import { chooseForMessage } from './choose-automation.ts';
import type { Ingested } from './ingest-comment.ts';
import { inboundMessage, inboundPut } from './store.ts';

/** The number of tries if a conversation changes between its read and the transaction. */
const maxAttempts = 6;

/**
 * The maximum number of conversations per answer, which keeps the transaction small. The person means the latest question, or
 * does not know which.
 */
const maxConversations = 10;
/**
 * The maximum number of conversations read, which keeps the read small. Conversations that no longer await an answer are removed
 * from the list.
 */
const maxRead = 100;

/**
 * Stores a message or a tap once, in one transaction with the next step of each conversation that it answers. A message that
 * answers none begins a conversation of the automation that it starts, if any.
 *
 * @param now epoch milliseconds
 */
export async function ingestMessage(
  table: Table,
  account: Account,
  event: MessageEvent | TapEvent,
  now: number,
): Promise<Ingested> {
  const inbound = inboundMessage(account, event, now, retentionOf(table));
  const isTimed = event.at !== undefined;
  const answer = { inbound, isTimed, now };
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const moves = (await movesOf(table, answer)) ?? (await startOf(table, account, event, answer));
    const items = [inboundPut(table, inbound), ...moves.flatMap((move) => writesOf(table, move))];
    const outcome = await transact(table, items);
    if (outcome.committed) {
      return { state: 'new', messages: moves.flatMap(({ message }) => (message ? [message] : [])) };
    }
    if (outcome.failedIndex === 0) return { state: 'repeated' };
  }
  throw new Error(`the conversation changed during each of ${maxAttempts} attempts to store an answer`);
}

/** An answer to store. */
interface Answer {
  readonly inbound: InboundMessage;
  /** True if the platform has said when it happened. */
  readonly isTimed: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The change that an answer makes to a conversation. */
interface Move {
  readonly action: MessageAction;
  readonly write?: TransactionItems[number];
  readonly counts?: CountChanges | undefined;
  readonly message?: AutomationMessage;
}

const writesOf = (table: Table, { action, write, counts }: Move): TransactionItems => [
  ...(write ? [write] : []),
  ...(counts ? [countUpdate(table, action.automationId, action.commentId, counts)] : []),
];

/**
 * Reads the conversations that an answer may concern, in one request, and decides its changes: in the newest only.
 *
 * @returns `undefined` if it answers no conversation
 */
async function movesOf(table: Table, answer: Answer): Promise<readonly Move[] | undefined> {
  const { inbound } = answer;
  const tap = readTap(inbound.payload);
  const awaiting = tap ? [tap.automationId] : await automationsAwaitingAnswer(table, inbound);
  if (awaiting.length === 0) return undefined;
  // Ids begin with the time, so that the newest automations are read if there are too many.
  const read = awaiting.toSorted().slice(-maxRead);
  const keys = read.map((id) => automationPersonKey(id, inbound.personId));
  const items = await batchGet(table, keys);
  let isAnswer = tap !== undefined;
  const moves = keys.flatMap((key) => {
    const item = items.get(key);
    const action = item && actionFromItem(item);
    // A button's payload may name any automation, also one of another workspace.
    const isOurs = action?.kind === 'automationMessage' && action.accountId === inbound.accountId;
    if (!isOurs) return [];
    isAnswer ||= action.withoutButtons === true && !awaitsNoAnswer(action);
    const move = tap ? tapped(table, action, tap.turn, answer) : answered(table, action, answer);
    return move ? [{ move, askedAt: action.sentAt ?? action.createdAt }] : [];
  });
  if (!isAnswer) return undefined;
  return moves
    .toSorted((one, other) => (one.askedAt > other.askedAt ? -1 : 1))
    .slice(0, maxConversations)
    .map(({ move }) => move);
}

/**
 * Handles a tap. A tap names the message that it answers, so it also proves that this message has arrived, even if its outcome is
 * unknown. A tap on an older button counts only if it is certainly later than the last message, unlike a second tap or a late
 * webhook. If it is unknown whether the last question has arrived, the tap must be later than the end of that call.
 */
function tapped(table: Table, action: MessageAction, turn: number, answer: Answer): Move | undefined {
  const isLast = action.turn === turn;
  if (!isLast && !(action.turn > turn && isAfterLastMessage(action, answer))) return undefined;
  const isProof = isLast && isUnproven(action);
  const isAwaited = isMovedBy('answer', action) || (action.state === 'failed' && isMovedBy('tap', action));
  const isNewTry = action.state === 'unknown' && action.stage === 'asking' && isAfterLastCall(action, answer);
  if (isProof || isAwaited || isNewTry) return moveOn(table, action, answer, isProof);
  return heardAgain(table, action, answer);
}

/** True if it is not yet certain that the last question has arrived. It may be recorded as sent and be disproved later. */
const isUnproven = ({ state, stage }: MessageAction): boolean =>
  stage === 'opening' || stage === 'asking' || (stage === 'gated' && state === 'unknown');

function isAfterLastMessage({ sentAt }: MessageAction, { inbound, isTimed }: Answer): boolean {
  if (sentAt === undefined || !isTimed) return false;
  return Date.parse(inbound.at) > Date.parse(sentAt) + clockSkewMs;
}

function isAfterLastCall({ calls = [] }: MessageAction, { inbound, isTimed }: Answer): boolean {
  const endedAt = calls.at(-1)?.endedAt;
  return isTimed && endedAt !== undefined && Date.parse(inbound.at) > Date.parse(endedAt) + clockSkewMs;
}

/**
 * Handles an answer in words. If buttons were refused, any answer counts as the tap. An answer that comes while the question is
 * sent is recorded.
 */
function answered(table: Table, action: MessageAction, answer: Answer): Move | undefined {
  const { state, stage, withoutButtons, lastHeardAt = '' } = action;
  const { inbound } = answer;
  if (!withoutButtons) return undefined;
  if (isMovedBy('answer', action)) {
    const isOld = state === 'failed' && inbound.at <= lastHeardAt;
    return isOld ? undefined : moveOn(table, action, answer, false);
  }
  const isBeingSent = state === 'intended' && (stage === 'opening' || stage === 'asking');
  if (isBeingSent) return { action, write: writeOf(table, action, { lastHeardAt: inbound.at }) };
  return heardAgain(table, action, answer);
}

/**
 * Handles an answer that comes while the next message waits, for example for the account: the platform now accepts that message
 * for longer, and it is tried at once.
 */
function heardAgain(table: Table, action: MessageAction, { inbound, now }: Answer): Move | undefined {
  const { state, stage, waitsFor, lastHeardAt = '' } = action;
  const isWaiting = state === 'waiting' && waitsFor !== undefined && stage !== 'opening';
  if (!isWaiting || inbound.at <= lastHeardAt) return undefined;
  const { changes, counts } = withWait(action, {
    lastHeardAt: inbound.at,
    wakeAt: toTimestamp(now),
    waitsFor,
  });
  return { action, write: writeOf(table, action, changes), counts, message: messageOf(action) };
}

/** Moves a conversation on after an answer. Raises the fencing token, so that a worker that still holds it loses its lease. */
function moveOn(table: Table, action: MessageAction, { inbound, now }: Answer, isProof: boolean): Move {
  const { calls = [], lastHeardAt = '' } = action;
  const settled =
    unsettledCall(calls) &&
    (isProof
      ? settleCall(calls, 'live', 'the person tapped its button')
      : settleCall(calls, 'dismissed', 'the person tapped an older button later'));
  const { changes, counts } = withWait(action, {
    ...reopened(action, now),
    ...(settled && { calls: keptCalls(settled) }),
    ...(isProof && { sentAt: inbound.at }),
    stage: 'gated',
    lastHeardAt: inbound.at > lastHeardAt ? inbound.at : lastHeardAt,
  });
  const counted = sumOfCounts(undone(action), counts, isProof ? { messages: 1 } : undefined);
  return { action, write: writeOf(table, action, changes), counts: counted, message: messageOf(action) };
}

/** Begins the conversation of the automation that a message starts, or goes on with the one that there is. */
async function startOf(
  table: Table,
  account: Account,
  event: MessageEvent | TapEvent,
  answer: Answer,
): Promise<readonly Move[]> {
  if (event.kind !== 'message' || event.payload !== undefined) return [];
  const { inbound, now } = answer;
  const said = withoutOwnMention(event.text ?? '', account.username);
  const isStoryReply = event.isStoryReply === true;
  const automation = await chooseForMessage(table, account, { said, isStoryReply });
  if (!automation) return [];
  const begun = newConversationByMessage(inbound, automation.id, now);
  const key = actionKey(begun);
  const item = (await batchGet(table, [key])).get(key);
  const action = item && actionFromItem(item);
  if (action?.kind !== 'automationMessage')
    return [{ action: begun, write: actionPut(table, begun), counts: matched, message: messageOf(begun) }];
  const move = saidAgain(table, action, answer);
  return [{ action, ...move, counts: sumOfCounts(matched, move?.counts) }];
}

/**
 * Handles another message that would start the conversation, if there were none: it counts as a tap on the button of a question
 * that it certainly follows.
 */
function saidAgain(table: Table, action: MessageAction, answer: Answer): Move | undefined {
  if (isMovedBy('answer', action)) {
    if (action.state !== 'failed')
      return isAfterLastMessage(action, answer) ? moveOn(table, action, answer, false) : undefined;
    return answer.inbound.at > (action.lastHeardAt ?? '') ? beginAgain(table, action, answer) : undefined;
  }
  return heardAgain(table, action, answer);
}

const matched: CountChanges = { matches: 1 };

/** Begins a failed conversation again with the message. Raises the fencing token. */
function beginAgain(table: Table, action: MessageAction, { inbound, now }: Answer): Move {
  const { changes, counts } = withWait(action, {
    ...reopened(action, now),
    stage: 'gated',
    commentId: inbound.messageId,
    createdAt: inbound.at,
    lastHeardAt: inbound.at,
    withoutButtons: null,
    expiresAtSeconds: conversationExpiry(now),
  });
  return {
    action,
    write: writeOf(table, action, changes),
    counts: sumOfCounts(undone(action), counts),
    message: messageOf(action),
  };
}

const writeOf = (table: Table, action: MessageAction, changes: ActionChanges) =>
  updatePart(table, actionKey(action), actionUpdate(action, changes));
