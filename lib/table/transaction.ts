import { randomUUID } from 'node:crypto';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  TransactGetCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type Condition, conditionOf } from './condition.ts';
import type { Item } from './items.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';
import { type RepeatLimits, refusalOf, untilServed } from './until-served.ts';
import { type ItemUpdate, updateExpressions } from './update.ts';

export type TransactionItems = NonNullable<TransactWriteCommandInput['TransactItems']>;
type TransactionItem = TransactionItems[number];

/** The table's name, which is enough for a part of a transaction. */
type Named = Pick<Table, 'name'>;

interface PartOptions {
  /** If this part's condition fails, return the item that failed it. */
  readonly returnOld?: boolean;
}

const oldItem = ({ returnOld }: PartOptions) =>
  returnOld ? ({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const) : {};

/** Returns the part of a transaction that stores an item. */
export function putPart(
  { name }: Named,
  item: Item,
  condition: Condition,
  options: PartOptions = {},
): TransactionItem {
  return { Put: { TableName: name, Item: item, ...conditionOf(condition), ...oldItem(options) } };
}

/** Returns the part of a transaction that updates an item. */
export function updatePart(
  { name }: Named,
  { pk, sk }: Key,
  update: ItemUpdate,
  options: PartOptions = {},
): TransactionItem {
  return { Update: { TableName: name, Key: { pk, sk }, ...updateExpressions(update), ...oldItem(options) } };
}

/** Returns the part of a transaction that deletes an item. */
export function deletePart({ name }: Named, { pk, sk }: Key, condition: Condition): TransactionItem {
  return { Delete: { TableName: name, Key: { pk, sk }, ...conditionOf(condition) } };
}

/** Returns the part of a transaction that writes nothing, but cancels the transaction if the condition does not hold. */
export function checkPart(
  { name }: Named,
  { pk, sk }: Key,
  condition: Condition,
  options: PartOptions = {},
): TransactionItem {
  const { ConditionExpression = '', ...rest } = conditionOf(condition);
  const check = { TableName: name, Key: { pk, sk }, ConditionExpression, ...rest, ...oldItem(options) };
  return { ConditionCheck: check };
}

/**
 * Reads items in one consistent snapshot.
 *
 * @param keys at most 100
 * @returns the items that exist; `undefined` if another request was writing one of them
 * @throws every other DynamoDB error
 */
export async function transactGet(table: Table, keys: readonly Key[]): Promise<Item[] | undefined> {
  const gets = keys.map(({ pk, sk }) => ({ Get: { TableName: table.name, Key: { pk, sk } } }));
  const command = new TransactGetCommand({ TransactItems: gets });
  try {
    const { Responses = [] } = await untilServed(table, () => table.client.send(command), {
      conflictAttempts: 1,
    });
    return Responses.flatMap(({ Item }) => (Item ? [Item] : []));
  } catch (error) {
    if (refusalOf(error) === 'conflict') return undefined;
    throw error;
  }
}

/**
 * The result of a transaction: committed, or the condition that failed, with the item that failed it if the part requested it.
 */
export type TransactionOutcome = { readonly committed: true } | Refusal;

export interface Refusal {
  readonly committed: false;
  readonly failedIndex: number;
  readonly oldItem: Record<string, unknown> | undefined;
}

/**
 * Writes all items or none. Repeats a transaction that is canceled because of another write of one of the items, or because of
 * throttling. It keeps its token, so DynamoDB recognizes it if an attempt was committed whose response was lost.
 *
 * @param limits fewer attempts, for a transaction that is out of date once another one has written its items
 * @throws every DynamoDB error except a failed condition, and a transient one that outlasts all attempts
 */
export async function transact(
  table: Table,
  items: TransactionItems,
  limits: RepeatLimits = {},
): Promise<TransactionOutcome> {
  const command = new TransactWriteCommand({ TransactItems: items, ClientRequestToken: randomUUID() });
  try {
    await untilServed(table, () => table.client.send(command), limits);
    return { committed: true };
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const reasons = error.CancellationReasons ?? [];
    const failedIndex = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed');
    if (failedIndex < 0) throw error;
    const oldItem = reasons[failedIndex]?.Item;
    // The document client does not unmarshall the items inside errors.
    return { committed: false, failedIndex, oldItem: oldItem && unmarshall(oldItem) };
  }
}
