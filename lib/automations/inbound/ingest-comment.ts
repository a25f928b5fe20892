import type { Account } from '../../accounts/schemas.ts';
import type { CommentEvent } from '../../platforms/contract/inbound.ts';
import { putIfAbsent } from '../../table/items.ts';
import type { Table } from '../../table/table.ts';
import { type TransactionItems, transact } from '../../table/transaction.ts';
import { newConversation, newReply } from '../actions/new-actions.ts';
import { actionPut, messageOf } from '../actions/store.ts';
import { countUpdate } from '../counts.ts';
import { matchesComment } from '../matching/match-comment.ts';
import { withoutOwnMention } from '../matching/own-mention.ts';
import type { Automation, AutomationAction, AutomationMessage, InboundComment } from '../schemas.ts';
import { findAutomationOfPost } from '../store.ts';
import { inboundComment, inboundItem, inboundPut } from './store.ts';

/** The result of an event for one account: the messages of its new actions, or that it was stored before. */
export type Ingested =
  | { readonly state: 'new'; readonly messages: readonly AutomationMessage[] }
  | { readonly state: 'repeated' };

/**
 * Stores a comment once, in one transaction with the actions that it triggers. A comment gets at most one public reply,
 * and each person at most one private conversation per automation, in 360 days.
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
  const said = withoutOwnMention(event.text, account.username);
  if (!automation?.isActive || !matchesComment(automation, said)) {
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
  const outcome = await transact(table, items);
  if (outcome.committed) return { state: 'new', messages: actions.map(messageOf) };
  if (outcome.failedIndex === 0) return { state: 'repeated' };
  // The action exists: the person has a conversation from an earlier comment.
  const existing = outcome.failedIndex - first.length;
  return storeMatch(
    table,
    automation,
    comment,
    actions.filter((_action, index) => index !== existing),
  );
}
