import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { toTimestamp } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/ids.ts';
import { conditionalUpdate } from '../../table/conditional-update.ts';
import { actionShard, automationPersonKey, automationReplyKey, type Key } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { type TransactionItems, transact } from '../../table/transaction.ts';
import { AutomationAction, type AutomationMessage } from '../schemas.ts';

export function actionKey(action: AutomationAction): Key {
  return action.kind === 'automationReply'
    ? automationReplyKey(action.automationId, action.commentId)
    : automationPersonKey(action.automationId, action.personId);
}

export const messageOf = (action: AutomationAction): AutomationMessage => ({
  workspaceId: action.workspaceId,
  automationId: action.automationId,
  action: actionKey(action).sk,
});

const shardOf = ({ pk, sk }: Key): string => actionShard(sha256(`${pk}\n${sk}`));

/** Part of a transaction: an action that is there stays as it is. */
export function actionPut(table: Pick<Table, 'name'>, action: AutomationAction): TransactionItems[number] {
  const key = actionKey(action);
  return {
    Put: {
      TableName: table.name,
      Item: { ...key, ...action, dueShard: shardOf(key), dueAt: action.wakeAt },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
  };
}

/** The action, strongly consistent. */
export async function findAction(table: Table, key: Key): Promise<AutomationAction | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
  );
  return Item && AutomationAction.parse(Item);
}

/** Another worker has the action, or an answer has moved it on: whoever sees this stops and writes nothing more. */
export class ActionLostError extends Error {
  override readonly name = 'ActionLostError';
}

/** Clocks of two machines may differ by so much. */
const nearMs = 2_000;

/**
 * Takes an action for one worker: raises the fencing number and sets the lease, if the action is due and nobody holds
 * it.
 *
 * @param writeId unique to this call; it tells our own write, repeated by the SDK, from another worker's
 * @param times epoch milliseconds
 * @returns `undefined` where there is nothing to be done for it now
 */
export async function takeAction(
  table: Table,
  key: Key,
  writeId: string,
  times: { readonly now: number; readonly untilMs: number },
): Promise<AutomationAction | undefined> {
  const { written, item } = await conditionalUpdate(table, {
    Key: { pk: key.pk, sk: key.sk },
    UpdateExpression: 'SET leaseUntil = :until, writeId = :writeId, attempt = attempt + :one',
    ConditionExpression:
      '#state IN (:waiting, :intended) AND wakeAt <= :near AND (attribute_not_exists(leaseUntil) OR leaseUntil <= :now)',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ':until': toTimestamp(times.untilMs),
      ':writeId': writeId,
      ':one': 1,
      ':waiting': 'waiting',
      ':intended': 'intended',
      ':near': toTimestamp(times.now + nearMs),
      ':now': toTimestamp(times.now),
    },
  });
  return item && (written || item['writeId'] === writeId) ? AutomationAction.parse(item) : undefined;
}

/** New values of an action's fields; `null` removes one. A `wakeAt` that is written moves it in the index. */
export type ActionChanges = { readonly [name: string]: string | number | boolean | null | undefined };

/** The update of an action that is as it was read: fencing number, state and the person's last word are the same. */
export function actionUpdate(table: Pick<Table, 'name'>, read: AutomationAction, changes: ActionChanges) {
  const key = actionKey(read);
  const all: ActionChanges = {
    ...changes,
    ...(changes['wakeAt'] !== undefined && {
      dueAt: changes['wakeAt'],
      dueShard: changes['wakeAt'] === null ? null : shardOf(key),
    }),
  };
  const sets = Object.entries(all).filter(([, value]) => value !== undefined && value !== null);
  const removes = Object.entries(all).filter(([, value]) => value === null);
  const heardAt = read.kind === 'automationMessage' ? read.lastHeardAt : undefined;
  const isAsHeard = heardAt === undefined ? 'attribute_not_exists(lastHeardAt)' : 'lastHeardAt = :heardAt';
  return {
    TableName: table.name,
    Key: key,
    UpdateExpression: `SET ${sets.map(([name]) => `#${name} = :${name}`).join(', ')}${
      removes.length > 0 ? ` REMOVE ${removes.map(([name]) => `#${name}`).join(', ')}` : ''
    }`,
    ConditionExpression: `attempt = :ifAttempt AND #state = :ifState AND ${isAsHeard}`,
    ExpressionAttributeNames: {
      '#state': 'state',
      ...Object.fromEntries([...sets, ...removes].map(([name]) => [`#${name}`, name])),
    },
    ExpressionAttributeValues: {
      ':ifAttempt': read.attempt,
      ':ifState': read.state,
      ...(heardAt !== undefined && { ':heardAt': heardAt }),
      ...Object.fromEntries(sets.map(([name, value]) => [`:${name}`, value])),
    },
  };
}

/**
 * Commits a change of a held action, together with what has to be written with it.
 *
 * @throws ActionLostError where the action is not as it was read any more
 */
export async function updateAction(
  table: Table,
  held: AutomationAction,
  changes: ActionChanges,
  { writeId, alongside = [] }: { readonly writeId: string; readonly alongside?: TransactionItems },
): Promise<AutomationAction> {
  const update = actionUpdate(table, held, { ...changes, writeId });
  if (alongside.length > 0) {
    const outcome = await transact(table, [{ Update: update }, ...alongside], mostConflicts);
    if (!outcome.committed) throw new ActionLostError(`the action ${update.Key.sk} was taken or changed`);
    return changed(held, changes);
  }
  try {
    await table.client.send(new UpdateCommand({ ...update, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // The reply to our own write was lost and the SDK sent it again: what stands there is what we wrote.
    if ((error.Item && unmarshall(error.Item))?.['writeId'] !== writeId)
      throw new ActionLostError(`the action ${update.Key.sk} was taken or changed`);
  }
  return changed(held, changes);
}

/** Transactions of a burst meet on the counts of its rule. */
export const mostConflicts = 12;

function changed(held: AutomationAction, changes: ActionChanges): AutomationAction {
  const values = { ...held, ...changes };
  return AutomationAction.parse(
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
  );
}

/**
 * Moves a waiting action ahead in the index of what is due, without moving its moment: whoever sends its message again
 * does this first, so that the next sweep does not send it once more.
 *
 * @returns false where it has moved on meanwhile
 */
export async function postponeSweep(table: Table, action: AutomationAction, dueMs: number): Promise<boolean> {
  const { written } = await conditionalUpdate(table, {
    Key: actionKey(action),
    UpdateExpression: 'SET dueAt = :due',
    ConditionExpression: 'attempt = :attempt AND #state = :state AND wakeAt = :wakeAt',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ':due': toTimestamp(dueMs),
      ':attempt': action.attempt,
      ':state': action.state,
      ':wakeAt': action.wakeAt,
    },
  });
  return written;
}
