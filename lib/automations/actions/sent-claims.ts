import { settleCall } from '../../at-most-once/call-records.ts';
import { dayMs } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/ids.ts';
import type { Platform } from '../../platforms/contract/names.ts';
import { absent, either } from '../../table/condition.ts';
import { getItem } from '../../table/items.ts';
import { automationPartition, type Key, sentClaimKey } from '../../table/keys.ts';
import { LeaseLostError } from '../../table/lease.ts';
import type { Table } from '../../table/table.ts';
import { type Refusal, type TransactionItems, transact, updatePart } from '../../table/transaction.ts';
import { removed } from '../../table/update.ts';
import { countUpdate } from '../counts.ts';
import type { AutomationAction } from '../schemas.ts';
import { actionKey, actionUpdate, findAction } from './store.ts';
import { unknownReason } from './transitions.ts';

/** A reply or message at a platform. Its id is the same for all workspaces that have connected the account. */
export interface SentItem {
  readonly platform: Platform;
  readonly id: string;
}

type Named = Pick<Table, 'name'>;

/** The time for which a claim is kept: longer than actions run, so longer than any lookup looks back. */
const keptMs = 30 * dayMs;
const kind = 'sentClaim';

const keyOf = ({ platform, id }: SentItem): Key => sentClaimKey(sha256(`${platform}\n${id}`));
const ownerOf = (action: AutomationAction) => ({
  automationId: action.automationId,
  action: actionKey(action).sk,
});

/**
 * Returns the part of a transaction that commits an action as the sender of a reply or message: no other action may be recorded
 * as its sender. The transaction fails if another action has claimed it. Idempotent for the same action.
 *
 * @param now epoch milliseconds
 * @param options.isGuess true if the platform lists it without its text, so that it may be the message of another action
 */
export function claimWrite(
  table: Named,
  sent: SentItem,
  action: AutomationAction,
  now: number,
  { isGuess = false } = {},
): TransactionItems[number] {
  const owner = ownerOf(action);
  return updatePart(
    table,
    keyOf(sent),
    {
      set: {
        kind,
        ...owner,
        isGuess: isGuess || removed,
        expiresAtSeconds: Math.floor((now + keptMs) / 1_000),
      },
      if: { [either]: [{ pk: absent }, owner] },
    },
    { returnOld: true },
  );
}

/** True if a transaction was refused because another action has claimed the reply or message. */
export const isClaimRefused = ({ oldItem }: Refusal): boolean => oldItem?.['kind'] === kind;

/** Returns the claim of another action that is recorded as the sender, if any. Strongly consistent. */
export async function claimOfOther(
  table: Table,
  sent: SentItem,
  action: AutomationAction,
): Promise<{ readonly isGuess: boolean } | undefined> {
  const item = await getItem(table, keyOf(sent));
  const owner = ownerOf(action);
  const isOwn = item?.['automationId'] === owner.automationId && item['action'] === owner.action;
  return item === undefined || isOwn ? undefined : { isGuess: item['isGuess'] === true };
}

/**
 * Gives a reply or message to the action that sent it, as the platform's response proves. Between the response and its commit,
 * another action's lookup has found it and took it for the result of its own call, which has the same text. So the outcome of
 * that other call is unknown after all.
 *
 * @throws LeaseLostError if the claim or the other action has changed meanwhile: a lookup then decides
 */
export async function takeClaimOver(
  table: Table,
  sent: SentItem,
  action: AutomationAction,
  where: string,
): Promise<void> {
  const { former, corrections } = await disproof(table, sent, where);
  const set = { ...ownerOf(action), isGuess: removed };
  const claimed = updatePart(table, keyOf(sent), { set, if: former });
  const { committed } = await transact(table, [claimed, ...corrections]);
  if (!committed) throw new LeaseLostError('the claim of what was sent has changed');
}

/**
 * Makes the outcome of an action unknown that has claimed a message by a guess, because another action may as well have sent it, and
 * shows no other trace. Nobody claims the message then, unless a response names it. Idempotent.
 */
export async function dropGuess(table: Table, sent: SentItem, where: string): Promise<void> {
  const { former, corrections } = await disproof(table, sent, where);
  if (corrections.length === 0) return;
  const claimed = updatePart(table, keyOf(sent), {
    set: { ...nobody, isGuess: removed },
    if: { ...former, isGuess: true },
  });
  // If it is refused, the claim or the other action has changed: a response has named the sender, or an answer has proven the guess.
  await transact(table, [claimed, ...corrections]);
}

/** The owner of a claim that several actions could make. */
const nobody = { automationId: 'nobody', action: 'nobody' };

/** Returns the owner of a claim, and the writes after which it is no longer recorded as the sender. */
async function disproof(table: Table, sent: SentItem, where: string) {
  const claim = await getItem(table, keyOf(sent));
  const former = { automationId: String(claim?.['automationId']), action: String(claim?.['action']) };
  const other = await findAction(table, { pk: automationPartition(former.automationId), sk: former.action });
  return { former, corrections: correction(table, sent, other, where) };
}

/**
 * Returns the writes that make the outcome of the other action unknown. They are empty if its conversation has gone on, because
 * an answer has proven its message.
 */
function correction(
  table: Named,
  { id }: SentItem,
  other: AutomationAction | undefined,
  where: string,
): TransactionItems {
  if (other?.state !== 'done') return [];
  const isMessage = other.kind === 'automationMessage';
  const recorded = isMessage ? { messageId: other.messageId } : { replyId: other.replyId };
  if (Object.values(recorded)[0] !== id) return [];
  const calls = settleCall(other.calls ?? [], 'unknown', undefined);
  const error = unknownReason(where, undefined);
  const forgotten = isMessage ? { messageId: null } : { replyId: null };
  const errorCode = 'outcome_unknown';
  const update = actionUpdate(other, { state: 'unknown', error, errorCode, calls, ...forgotten });
  const sentCount = isMessage ? { messages: -1 } : { replies: -1 };
  return [
    updatePart(table, actionKey(other), { ...update, if: { ...update.if, ...recorded } }),
    countUpdate(table, other.automationId, other.commentId, { ...sentCount, failures: { [errorCode]: 1 } }),
  ];
}
