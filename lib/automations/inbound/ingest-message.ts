import type { Account } from '../../accounts/schemas.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import type { MessageEvent, TapEvent } from '../../platforms/contract/inbound.ts';
import { automationPersonKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { type TransactionItems, transact } from '../../table/transaction.ts';
import { rulesAwaitingAnswer } from '../actions/awaited-answers.ts';
import { actionUpdate, findAction, messageOf, mostConflicts } from '../actions/store.ts';
import { readTap } from '../actions/taps.ts';
import { countUpdate } from '../counts.ts';
import type { AutomationMessage, InboundMessage, MessageAction } from '../schemas.ts';
import type { Taken } from './ingest-comment.ts';
import { inboundMessage, inboundPut } from './store.ts';

/** Whoever sends or taps in the same instant as we write is met again so often. */
const mostAttempts = 6;

/** One transaction takes no more; nobody is asked by more rules at once. */
const mostConversations = 10;

/**
 * Takes a message or a tap, once: with it, in one transaction, the conversations that it answers move on.
 *
 * @param now epoch milliseconds
 */
export async function takeMessage(
  table: Table,
  account: Account,
  event: MessageEvent | TapEvent,
  now: number,
): Promise<Taken> {
  const inbound = inboundMessage(account, event, now);
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const moves = await movesOf(table, inbound, now);
    const items = [inboundPut(table, inbound), ...moves.flatMap(({ writes }) => writes)];
    const outcome = await transact(table, items, mostConflicts);
    if (outcome.committed) {
      return { state: 'new', messages: moves.flatMap(({ message }) => (message ? [message] : [])) };
    }
    if (outcome.failedIndex === 0) return { state: 'repeated' };
  }
  throw new Error('the conversation changes faster than an answer can be taken');
}

/** What an answer does to a conversation. */
interface Move {
  readonly writes: TransactionItems;
  readonly message?: AutomationMessage;
}

async function movesOf(table: Table, inbound: InboundMessage, now: number): Promise<readonly Move[]> {
  const tap = readTap(inbound.payload);
  const rules = tap ? [tap.automationId] : await rulesAwaitingAnswer(table, inbound);
  const found = await Promise.all(
    rules
      .slice(0, mostConversations)
      .map((id) => findAction(table, automationPersonKey(id, inbound.personId))),
  );
  return found.flatMap((action) => {
    const isOurs =
      action?.kind === 'automationMessage' &&
      action.workspaceId === inbound.workspaceId &&
      action.accountId === inbound.accountId;
    if (!isOurs) return [];
    const move = tap ? tapped(table, action, tap.turn, inbound, now) : answered(table, action, inbound, now);
    return move ? [move] : [];
  });
}

/**
 * A tap names the message that it answers, so it also proves that this one has arrived, whatever is known of its
 * sending. A second tap finds that the conversation has moved on.
 */
function tapped(
  table: Table,
  action: MessageAction,
  turn: number,
  inbound: InboundMessage,
  now: number,
): Move | undefined {
  if (action.turn !== turn) return undefined;
  const isAwaited = action.stage === 'gated' && action.state === 'done';
  const isProof = action.stage === 'opening' || action.stage === 'asking';
  return isAwaited || isProof ? moveOn(table, action, inbound, now, isProof) : undefined;
}

/** Where buttons are refused, any answer is the tap; one that comes while the question is being sent is noted. */
function answered(
  table: Table,
  action: MessageAction,
  inbound: InboundMessage,
  now: number,
): Move | undefined {
  if (!action.withoutButtons) return undefined;
  if (action.stage === 'gated' && action.state === 'done') return moveOn(table, action, inbound, now, false);
  const isBeingSent =
    action.state === 'intended' && (action.stage === 'opening' || action.stage === 'asking');
  if (!isBeingSent) return undefined;
  return { writes: [{ Update: actionUpdate(table, action, { lastHeardAt: inbound.at }) }] };
}

/** The worker that may still hold it has lost it: the fencing number is another one. */
function moveOn(
  table: Table,
  action: MessageAction,
  inbound: InboundMessage,
  now: number,
  isProof: boolean,
): Move {
  const changes = {
    stage: 'gated',
    state: 'waiting',
    attempt: action.attempt + 1,
    lastHeardAt: inbound.at,
    wakeAt: toTimestamp(now),
    failures: 0,
    leaseUntil: null,
    intentAt: null,
    content: null,
    questions: null,
    refusal: null,
    firstFailureAt: null,
    error: null,
  };
  const undone = action.state === 'unknown' ? { failures: -1 } : {};
  const counted = countUpdate(table, action.automationId, action.commentId, { messages: 1, ...undone });
  return {
    writes: [{ Update: actionUpdate(table, action, changes) }, ...(isProof ? [counted] : [])],
    message: messageOf(action),
  };
}
