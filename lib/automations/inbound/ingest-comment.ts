import type { Account } from '../../accounts/schemas.ts';
import type { CommentEvent } from '../../platforms/contract/inbound.ts';
import type { MessagingLimits } from '../../platforms/contract/messaging.ts';
import { putIfAbsent } from '../../table/items.ts';
import { retentionOf, type Table } from '../../table/table.ts';
import { type TransactionItems, transact, updatePart } from '../../table/transaction.ts';
import { actionFromItem } from '../actions/item.ts';
import { newConversation, newReply } from '../actions/new-actions.ts';
import { reopenedByComment } from '../actions/reopen.ts';
import { actionKey, actionPut, actionUpdate, messageOf } from '../actions/store.ts';
import { type CountChanges, countUpdate, sumOfCounts } from '../counts.ts';
import { withoutOwnMention } from '../matching/own-mention.ts';
import type { Automation, AutomationAction, AutomationMessage, InboundComment } from '../schemas.ts';
import { chooseAutomation } from './choose-automation.ts';
import { heldItem, intakeOf } from './held-comments.ts';
import { inboundComment, inboundItem, inboundPut } from './store.ts';

/** The result of an event for one account: the messages of its actions, or that it was already stored. */
export type Ingested =
  | { readonly state: 'new'; readonly messages: readonly AutomationMessage[] }
  | { readonly state: 'repeated' };

/** The time of ingesting an event, and the window after an answer in which the platform accepts messages. */
export interface IngestTime extends Pick<MessagingLimits, 'windowHours'> {
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The number of tries if actions change between their read and the transaction. */
const maxAttempts = 6;

/**
 * Stores a comment once, in one transaction with the actions that it triggers. A comment gets at most one public reply,
 * and each person at most one private conversation per automation, in 360 days. A conversation that has failed is reopened. If it
 * is not known yet which automation answers, the comment is stored as held, and decided later.
 *
 * @throws Error if the conversation changes during each of several attempts: the event must be delivered again
 */
export async function ingestComment(
  table: Table,
  account: Account,
  event: CommentEvent,
  time: IngestTime,
): Promise<Ingested> {
  const comment = inboundComment(account, event, time.now, retentionOf(table));
  const said = withoutOwnMention(event.text, account.username);
  const choice = await chooseAutomation(table, { ...comment, said });
  if (choice.state === 'chosen') {
    const put = (automationId: string) => inboundPut(table, { ...comment, automationId });
    return storeMatch(table, choice.automation, comment, { put, time });
  }
  const held = choice.state === 'open' ? { ...comment, heldFor: choice.automation.id } : undefined;
  const before = await putIfAbsent(table, held ? heldItem(held, time.now) : inboundItem(comment));
  if (before) return { state: 'repeated' };
  return { state: 'new', messages: held ? [intakeOf(held)] : [] };
}

/** The change that a comment makes to one action. */
interface Step {
  readonly write: TransactionItems[number];
  readonly message: AutomationMessage;
  readonly counts?: CountChanges | undefined;
}

/**
 * Stores the comment as matched, with the actions that the automation takes.
 *
 * @param options.put returns the write that stores the comment; it fails if the comment was stored, or decided, before
 */
export async function storeMatch(
  table: Table,
  automation: Automation,
  comment: InboundComment,
  {
    put,
    time,
  }: { readonly put: (automationId: string) => TransactionItems[number]; readonly time: IngestTime },
): Promise<Ingested> {
  const { id, commentReply, dmMessage } = automation;
  const begin = (action: AutomationAction): Step => ({
    write: actionPut(table, action),
    message: messageOf(action),
  });
  const reply = commentReply === null ? undefined : begin(newReply(comment, id, time.now));
  const conversation = dmMessage === null ? undefined : begin(newConversation(comment, id, time.now));
  let steps = [reply, conversation].filter((step) => step !== undefined);
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const counts = sumOfCounts({ matches: 1 }, ...steps.map((step) => step.counts));
    const first = [put(id), countUpdate(table, id, comment.commentId, counts ?? {})];
    const outcome = await transact(table, [...first, ...steps.map(({ write }) => write)]);
    if (outcome.committed) return { state: 'new', messages: steps.map(({ message }) => message) };
    if (outcome.failedIndex === 0) return { state: 'repeated' };
    // The action exists: the comment has a reply, or the person has a conversation from an earlier comment.
    const failed = steps[outcome.failedIndex - first.length];
    const existing = outcome.oldItem && actionFromItem(outcome.oldItem);
    const instead = existing ? reopening(table, existing, comment, time) : undefined;
    steps = steps.flatMap((step) => (step !== failed ? [step] : instead ? [instead] : []));
  }
  throw new Error(`the conversation changed during each of ${maxAttempts} attempts to store a comment`);
}

/** Returns the step by which the comment reopens the person's conversation; `undefined` if it does not. */
function reopening(
  table: Table,
  action: AutomationAction,
  comment: InboundComment,
  time: IngestTime,
): Step | undefined {
  const reopened = action.kind === 'automationMessage' ? reopenedByComment(action, comment, time) : undefined;
  if (!reopened) return undefined;
  const update = actionUpdate(action, reopened.changes);
  return {
    write: updatePart(table, actionKey(action), update, { returnOld: true }),
    message: messageOf(action),
    counts: reopened.counts,
  };
}
