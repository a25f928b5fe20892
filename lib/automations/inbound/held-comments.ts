import { present } from '../../table/condition.ts';
import { type Item, updateItem } from '../../table/items.ts';
import { inboundCommentKey, type Key } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { type TransactionItems, updatePart } from '../../table/transaction.ts';
import { removed } from '../../table/update.ts';
import { type AutomationMessage, InboundComment } from '../schemas.ts';
import { intakeDue, noLongerDue } from '../store.ts';
import { inboundItem } from './store.ts';

/** A comment of which it is not known yet which automation answers it. */
export type HeldComment = InboundComment & { readonly heldFor: string };

/** The name of the action in messages that are about no action yet. */
const noAction = 'INTAKE';

const keyOf = ({ workspaceId, accountId, commentId }: InboundComment): Key =>
  inboundCommentKey(workspaceId, accountId, commentId);

/** Returns the item of a held comment, due at once. @param now epoch milliseconds */
export const heldItem = (comment: HeldComment, now: number): Item => ({
  ...inboundItem(comment),
  ...intakeDue(keyOf(comment), now),
});

/** Returns the message that has a held comment looked at. */
export const intakeOf = ({ workspaceId, accountId, commentId, heldFor }: HeldComment): AutomationMessage => ({
  workspaceId,
  automationId: heldFor,
  action: noAction,
  intake: { accountId, commentId },
});

/** Returns the message that has an automation's claim on posts looked at. */
export const intakeOfClaim = (
  { workspaceId, accountId, automationId }: Record<'workspaceId' | 'accountId' | 'automationId', string>,
  posts: string,
): AutomationMessage => ({ workspaceId, automationId, action: noAction, intake: { accountId, posts } });

/** Reads a stored comment; `undefined` if it is not held. */
export function heldFromItem(item: Item | undefined): HeldComment | undefined {
  const comment = item && InboundComment.parse(item);
  const { heldFor } = comment ?? {};
  return comment && heldFor !== undefined ? { ...comment, heldFor } : undefined;
}

/** Returns the part of a transaction that ends the holding of a comment. It fails if the comment is not held any more. */
export function decidedPart(
  table: Pick<Table, 'name'>,
  comment: HeldComment,
  automationId: string,
): TransactionItems[number] {
  const set = { ...noLongerDue, heldFor: removed, automationId };
  return updatePart(table, keyOf(comment), { set, if: { heldFor: present } });
}

/** Ends the holding of a comment that no automation answers. */
export async function dropHeld(table: Table, comment: HeldComment): Promise<void> {
  const set = { ...noLongerDue, heldFor: removed };
  await updateItem(table, keyOf(comment), { set, if: { heldFor: present } });
}

/** Has a held comment looked at again later. @param dueMs epoch milliseconds */
export async function postponeHeld(
  table: Table,
  comment: HeldComment,
  heldFor: string,
  dueMs: number,
): Promise<void> {
  const set = { heldFor, ...intakeDue(keyOf(comment), dueMs) };
  await updateItem(table, keyOf(comment), { set, if: { heldFor: present } });
}
