import type { Account } from '../../accounts/schemas.ts';
import { settleCall, unsettledCall } from '../../at-most-once/call-records.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import type { MessageEvent, TapEvent } from '../../platforms/contract/inbound.ts';
import { automationPersonKey } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { type TransactionItems, transact, updatePart } from '../../table/transaction.ts';
import { automationsAwaitingAnswer } from '../actions/awaited-answers.ts';
import {
  type ActionChanges,
  actionKey,
  actionUpdate,
  ended,
  findAction,
  messageOf,
} from '../actions/store.ts';
import { readTap } from '../actions/taps.ts';
import { countUpdate } from '../counts.ts';
import type { AutomationMessage, InboundMessage, MessageAction } from '../schemas.ts';
import type { Ingested } from './ingest-comment.ts';
import { inboundMessage, inboundPut } from './store.ts';

/** How often to try if a conversation changes between its read and the transaction. */
const maxAttempts = 6;

/** Keeps the transaction small. Nobody is asked by more automations at the same time. */
const maxConversations = 10;

/**
 * Stores a message or a tap once, in one transaction with the next step of each conversation that it answers.
 *
 * @param now epoch milliseconds
 */
export async function ingestMessage(
  table: Table,
  account: Account,
  event: MessageEvent | TapEvent,
  now: number,
): Promise<Ingested> {
  const inbound = inboundMessage(account, event, now);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const moves = await movesOf(table, inbound, now);
    const items = [inboundPut(table, inbound), ...moves.flatMap(({ writes }) => writes)];
    const outcome = await transact(table, items);
    if (outcome.committed) {
      return { state: 'new', messages: moves.flatMap(({ message }) => (message ? [message] : [])) };
    }
    if (outcome.failedIndex === 0) return { state: 'repeated' };
  }
  throw new Error(`the conversation changed during each of ${maxAttempts} attempts to store an answer`);
}

/** What an answer changes in a conversation. */
interface Move {
  readonly writes: TransactionItems;
  readonly message?: AutomationMessage;
}

async function movesOf(table: Table, inbound: InboundMessage, now: number): Promise<readonly Move[]> {
  const tap = readTap(inbound.payload);
  const automations = tap ? [tap.automationId] : await automationsAwaitingAnswer(table, inbound);
  const found = await Promise.all(
    automations
      .slice(0, maxConversations)
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
 * A tap names the message that it answers. So it also proves that this message has arrived, even if its outcome is not
 * known. A second tap has no effect, because the conversation has moved on.
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

/** If buttons were refused, any answer counts as the tap. An answer that comes while the question is sent is recorded. */
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
  return { writes: [writeOf(table, action, { lastHeardAt: inbound.at })] };
}

/** Moves a conversation on after an answer. Raises the fencing token, so that a worker that still holds it loses it. */
function moveOn(
  table: Table,
  action: MessageAction,
  inbound: InboundMessage,
  now: number,
  isProof: boolean,
): Move {
  const { calls = [] } = action;
  const changes: ActionChanges = {
    ...ended,
    ...(unsettledCall(calls) && { calls: settleCall(calls, 'live', 'the person tapped its button') }),
    stage: 'gated',
    state: 'waiting',
    error: null,
    attempt: action.attempt + 1,
    lastHeardAt: inbound.at,
    wakeAt: toTimestamp(now),
  };
  const undone = action.state === 'unknown' ? { failures: -1 } : {};
  const counted = countUpdate(table, action.automationId, action.commentId, { messages: 1, ...undone });
  return {
    writes: [writeOf(table, action, changes), ...(isProof ? [counted] : [])],
    message: messageOf(action),
  };
}

const writeOf = (table: Table, action: MessageAction, changes: ActionChanges) =>
  updatePart(table, actionKey(action), actionUpdate(action, changes));
