import type { Account } from '../../accounts/schemas.ts';
import type { CommentEvent } from '../../platforms/contract/inbound.ts';
import { putOnce } from '../../table/put-once.ts';
import type { Table } from '../../table/table.ts';
import { type TransactionItems, transact } from '../../table/transaction.ts';
import { newConversation, newReply } from '../actions/new-actions.ts';
import { actionPut, messageOf, mostConflicts } from '../actions/store.ts';
import { countUpdate } from '../counts.ts';
import { matches } from '../matching/match-comment.ts';
import type { Automation, AutomationAction, AutomationMessage, InboundComment } from '../schemas.ts';
import { findAutomationOfPost } from '../store.ts';
import { inboundComment, inboundPut } from './store.ts';

/** What became of an event for one account: the messages of the actions that it set off, or that it was there before. */
export type Taken =
  | { readonly state: 'new'; readonly messages: readonly AutomationMessage[] }
  | { readonly state: 'repeated' };

/**
 * Takes a comment, once: with it, in one transaction, goes all that follows from it. One public reply a comment, one
 * private conversation a person and rule.
 *
 * @param now epoch milliseconds
 */
export async function takeComment(
  table: Table,
  account: Account,
  event: CommentEvent,
  now: number,
): Promise<Taken> {
  const comment = inboundComment(account, event, now);
  const rule = await findAutomationOfPost(table, comment);
  if (!rule?.isActive || !matches(rule, event.text)) {
    const { Put } = inboundPut(table, comment);
    const before = await putOnce(table, Put?.Item ?? {});
    return before ? { state: 'repeated' } : { state: 'new', messages: [] };
  }
  return storeMatch(table, rule, comment, actionsFor(rule, comment, now));
}

function actionsFor(rule: Automation, comment: InboundComment, now: number): AutomationAction[] {
  return [
    ...(rule.commentReply === null ? [] : [newReply(comment, rule.id, now)]),
    ...(rule.dmMessage === null ? [] : [newConversation(comment, rule.id, now)]),
  ];
}

async function storeMatch(
  table: Table,
  rule: Automation,
  comment: InboundComment,
  actions: readonly AutomationAction[],
): Promise<Taken> {
  const first: TransactionItems = [
    inboundPut(table, { ...comment, automationId: rule.id }),
    countUpdate(table, rule.id, comment.commentId, { matches: 1 }),
  ];
  const items = [...first, ...actions.map((action) => actionPut(table, action))];
  const outcome = await transact(table, items, mostConflicts);
  if (outcome.committed) return { state: 'new', messages: actions.map(messageOf) };
  if (outcome.failedIndex === 0) return { state: 'repeated' };
  // The person was written to for an earlier comment.
  const there = outcome.failedIndex - first.length;
  return storeMatch(
    table,
    rule,
    comment,
    actions.filter((_action, index) => index !== there),
  );
}
