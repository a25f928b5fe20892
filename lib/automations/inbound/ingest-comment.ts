import type { Account } from '../../accounts/schemas.ts';
import type { CommentEvent } from '../../platforms/contract/inbound.ts';
import { putIfAbsent } from '../../table/items.ts';
import type { Table } from '../../table/table.ts';
import { type TransactionItems, transact } from '../../table/transaction.ts';
import { newConversation, newReply } from '../actions/new-actions.ts';
import { actionPut, messageOf, mostConflicts } from '../actions/store.ts';
import { countUpdate } from '../counts.ts';
import { matchesComment } from '../matching/match-comment.ts';
import type { Automation, AutomationAction, AutomationMessage, InboundComment } from '../schemas.ts';
import { findAutomationOfPost } from '../store.ts';
import { inboundComment, inboundItem, inboundPut } from './store.ts';

/** What became of an event for one account: the messages of the actions that it set off, or that it was there before. */
export type Ingested =
  | { readonly state: 'new'; readonly messages: readonly AutomationMessage[] }
  | { readonly state: 'repeated' };

/**
 * Takes a comment, once: with it, in one transaction, goes all that follows from it. One public reply a comment, one
 * private conversation a person and automation.
 *
 * @param now epoch milliseconds
 */
export async function ingestComment(
  table: Table,
  account: Account,
  event: CommentEvent,
  now: number,
): Promise<Ingested> {
  const comment = inboundComment(account, event, now);
  const automation = await findAutomationOfPost(table, comment);
  if (!automation?.isActive || !matchesComment(automation, event.text)) {
    const before = await putIfAbsent(table, inboundItem(comment));
    return before ? { state: 'repeated' } : { state: 'new', messages: [] };
  }
  return storeMatch(table, automation, comment, actionsFor(automation, comment, now));
}

function actionsFor(automation: Automation, comment: InboundComment, now: number): AutomationAction[] {
  return [
    ...(automation.commentReply === null ? [] : [newReply(comment, automation.id, now)]),
    ...(automation.dmMessage === null ? [] : [newConversation(comment, automation.id, now)]),
  ];
}

async function storeMatch(
  table: Table,
  automation: Automation,
  comment: InboundComment,
  actions: readonly AutomationAction[],
): Promise<Ingested> {
  const first: TransactionItems = [
    inboundPut(table, { ...comment, automationId: automation.id }),
    countUpdate(table, automation.id, comment.commentId, { matches: 1 }),
  ];
  const items = [...first, ...actions.map((action) => actionPut(table, action))];
  const outcome = await transact(table, items, mostConflicts);
  if (outcome.committed) return { state: 'new', messages: actions.map(messageOf) };
  if (outcome.failedIndex === 0) return { state: 'repeated' };
  // The person was written to for an earlier comment.
  const there = outcome.failedIndex - first.length;
  return storeMatch(
    table,
    automation,
    comment,
    actions.filter((_action, index) => index !== there),
  );
}
