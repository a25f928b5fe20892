import { secondMs, toTimestamp } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/ids.ts';
import { requireMove } from '../../kernel/life-cycle.ts';
import { absent, anyOf, atMost } from '../../table/condition.ts';
import { getItem, updateItem } from '../../table/items.ts';
import { actionShard, automationPersonKey, automationReplyKey, type Key } from '../../table/keys.ts';
import { claimLease, LeaseLostError, leaseMs } from '../../table/lease.ts';
import type { Table } from '../../table/table.ts';
import {
  putPart,
  type Refusal,
  type TransactionItems,
  transact,
  updatePart,
} from '../../table/transaction.ts';
import { type ItemUpdate, ifAbsent, removingNulls } from '../../table/update.ts';
import { requireConversationMove } from '../conversation-states.ts';
import {
  AutomationAction,
  type AutomationMessage,
  type MessageAction,
  type ReplyAction,
  replyLifeCycle,
} from '../schemas.ts';
import { actionFromItem, formerCallFields } from './item.ts';

export function actionKey(action: AutomationAction): Key {
  return action.kind === 'automationReply'
    ? automationReplyKey(action.automationId, action.commentId)
    : automationPersonKey(action.automationId, action.personId);
}

/** Returns the queue message for an action. */
export const messageOf = (action: AutomationAction): AutomationMessage => ({
  workspaceId: action.workspaceId,
  automationId: action.automationId,
  action: actionKey(action).sk,
});

const shardOf = ({ pk, sk }: Key): string => actionShard(sha256(`${pk}\n${sk}`));

/** Returns the attributes by which the sweep finds an action. @param dueAt a timestamp */
export const dueKeys = (key: Key, dueAt: string) => ({ dueShard: shardOf(key), dueAt });

/** Returns the part of a transaction that stores a new action, which the index of targets by account lists with its automation. If the action exists, the transaction fails and returns it. */
export function actionPut(table: Pick<Table, 'name'>, action: AutomationAction): TransactionItems[number] {
  const key = actionKey(action);
  const listed = { accountList: key.pk, createdKey: action.createdAt };
  const item = { ...key, ...action, ...listed, dueShard: shardOf(key), dueAt: action.wakeAt };
  return putPart(table, item, { pk: absent }, { returnOld: true });
}

/** Reads an action, strongly consistent. */
export async function findAction(table: Table, key: Key): Promise<AutomationAction | undefined> {
  const item = await getItem(table, key);
  return item && actionFromItem(item);
}

/** The maximum difference between the clocks of two machines. A worker's own call is far faster than a person's answer. */
export const clockSkewMs = 2 * secondMs;

/**
 * Returns true if an action may be due, by a cheap read that may be a second old. False is certain. @param now epoch milliseconds
 */
export async function mayBeDue(table: Table, key: Key, now: number): Promise<boolean> {
  const item = await getItem(table, key, { isEventual: true });
  const wakeAt = item?.['wakeAt'];
  return wakeAt !== undefined && String(wakeAt) <= toTimestamp(now + clockSkewMs);
}

export type TakenAction =
  | { readonly state: 'taken'; readonly action: AutomationAction }
  /** Another worker holds the lease until this time (epoch milliseconds), or longer if it renews the lease. */
  | { readonly state: 'held'; readonly untilMs: number }
  /** The action has ended, is not due, or does not exist. */
  | { readonly state: 'not due' };

/**
 * Takes the lease of an action for one worker and increments the fencing token, if the action is due and no other worker
 * holds it. Counts every take until a worker releases the lease properly.
 *
 * @param writeId unique to this call; distinguishes our own write, repeated by the SDK, from another worker's
 * @param now epoch milliseconds
 */
export async function takeAction(
  table: Table,
  key: Key,
  { writeId, now }: { readonly writeId: string; readonly now: number },
): Promise<TakenAction> {
  const at = toTimestamp(now);
  const near = toTimestamp(now + clockSkewMs);
  const { written, item } = await claimLease(table, key, {
    writeId,
    now,
    untilMs: now + leaseMs,
    set: { takenSince: ifAbsent(at) },
    add: { takes: 1 },
    if: { state: anyOf('waiting', 'intended'), wakeAt: atMost(near) },
  });
  if (item === undefined) return { state: 'not due' };
  const action = actionFromItem(item);
  if (written) return { state: 'taken', action };
  const { wakeAt, leaseUntil } = action;
  const isHeld = wakeAt !== undefined && wakeAt <= near && leaseUntil !== undefined && leaseUntil > at;
  return isHeld ? { state: 'held', untilMs: Date.parse(leaseUntil) } : { state: 'not due' };
}

type Changeable = Omit<MessageAction & Omit<ReplyAction, 'kind'>, 'kind'>;

/** New values of an action's fields; `null` removes one. A new `wakeAt` moves the action in the index. */
export type ActionChanges = { readonly [Name in keyof Changeable]?: Changeable[Name] | null };

/** The changes that release the lease properly. */
export const released = { leaseUntil: null, takes: null, takenSince: null } satisfies ActionChanges;

/** The changes that remove fields that an ended action no longer needs. */
export const ended = {
  ...released,
  wakeAt: null,
  content: null,
  firstFailureAt: null,
  failures: 0,
} satisfies ActionChanges;

/**
 * Builds the update of an action. It is conditional on the fencing token, the state and the time of the person's last message,
 * which must be unchanged since they were read. Every change of state goes through here.
 *
 * @throws ForbiddenMoveError if the life cycle of the reply, or the table of the conversation, does not allow the move
 */
export function actionUpdate(read: AutomationAction, changes: ActionChanges): ItemUpdate {
  const { wakeAt, calls } = changes;
  const isMessage = read.kind === 'automationMessage';
  const state = changes.state ?? read.state;
  if (isMessage) requireConversationMove(read, { state, stage: changes.stage ?? read.stage });
  else requireMove('reply', replyLifeCycle, read.state, state);
  const dueShard = wakeAt ? shardOf(actionKey(read)) : wakeAt;
  return {
    set: removingNulls({
      ...changes,
      ...(calls && formerCallFields),
      // A conversation that begins again is listed anew.
      createdKey: changes.createdAt,
      accountList: changes.createdAt && actionKey(read).pk,
      dueAt: wakeAt,
      dueShard,
    }),
    if: {
      attempt: read.attempt,
      state: read.state,
      lastHeardAt: (isMessage ? read.lastHeardAt : undefined) ?? absent,
    },
  };
}

/** The error that a write alongside the change of an action was refused. Nothing was written. */
export class WriteRefusedError extends LeaseLostError {
  readonly refusal: Refusal;

  constructor(message: string, refusal: Refusal) {
    super(message);
    this.refusal = refusal;
  }
}

/**
 * Commits a change of a held action, in one transaction with the writes in `alongside`.
 *
 * @throws LeaseLostError if the action was taken or changed since it was read; otherwise WriteRefusedError if a condition in
 *   `alongside` did not hold
 */
export async function updateAction(
  table: Table,
  held: AutomationAction,
  changes: ActionChanges,
  { writeId, alongside = [] }: { readonly writeId: string; readonly alongside?: TransactionItems },
): Promise<AutomationAction> {
  const key = actionKey(held);
  const update = actionUpdate(held, changes);
  const part = updatePart(table, key, { ...update, set: { ...update.set, writeId } });
  const lost = `the action ${key.sk} was taken or changed`;
  if (alongside.length === 0) {
    if (!(await updateItem(table, key, update, writeId)).written) throw new LeaseLostError(lost);
  } else {
    const outcome = await transact(table, [part, ...alongside]);
    if (!outcome.committed) {
      const isOwn = outcome.failedIndex === 0;
      throw isOwn
        ? new LeaseLostError(lost)
        : new WriteRefusedError(`a write with ${key.sk} was refused`, outcome);
    }
  }
  const all = Object.entries({ ...held, ...changes });
  return AutomationAction.parse(Object.fromEntries(all.filter(([, value]) => value !== null)));
}

/**
 * Moves a waiting action to a later place in the index of due actions, without changing its `wakeAt`. A sweep does this before it
 * sends the action's message, so that the next sweep does not send it again.
 *
 * @returns false if the action has changed meanwhile
 */
export async function postponeSweep(table: Table, action: AutomationAction, dueMs: number): Promise<boolean> {
  const { attempt, state, wakeAt } = action;
  const update = { set: { dueAt: toTimestamp(dueMs) }, if: { attempt, state, wakeAt } };
  return (await updateItem(table, actionKey(action), update)).written;
}
