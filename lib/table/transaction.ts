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
import { backOff, type Table } from './table.ts';
import { type ItemUpdate, updateExpressions } from './update.ts';

export type TransactionItems = NonNullable<TransactWriteCommandInput['TransactItems']>;
type TransactionItem = TransactionItems[number];

/** The table's name, which is all that a part of a transaction needs. */
type Named = Pick<Table, 'name'>;

interface PartOptions {
  /** If this part's condition fails, return the item that failed it. */
  readonly returnOld?: boolean;
}

const oldItem = ({ returnOld }: PartOptions) =>
  returnOld ? ({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const) : {};

/** Part of a transaction: stores an item. */
export function putPart(
  { name }: Named,
  item: Item,
  condition: Condition,
  options: PartOptions = {},
): TransactionItem {
  return { Put: { TableName: name, Item: item, ...conditionOf(condition), ...oldItem(options) } };
}

/** Part of a transaction: updates an item. */
export function updatePart(
  { name }: Named,
  { pk, sk }: Key,
  update: ItemUpdate,
  options: PartOptions = {},
): TransactionItem {
  return { Update: { TableName: name, Key: { pk, sk }, ...updateExpressions(update), ...oldItem(options) } };
}

/** Part of a transaction: deletes an item. */
export function deletePart({ name }: Named, { pk, sk }: Key, condition: Condition): TransactionItem {
  return { Delete: { TableName: name, Key: { pk, sk }, ...conditionOf(condition) } };
}

/** Part of a transaction: writes nothing, but cancels the transaction if the condition does not hold. */
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
 * @returns the items that exist; `undefined` if another transaction was writing one of them
 */
export async function transactGet(table: Table, keys: readonly Key[]): Promise<Item[] | undefined> {
  const gets = keys.map(({ pk, sk }) => ({ Get: { TableName: table.name, Key: { pk, sk } } }));
  try {
    const { Responses = [] } = await table.client.send(new TransactGetCommand({ TransactItems: gets }));
    return Responses.flatMap(({ Item }) => (Item ? [Item] : []));
  } catch (error) {
    if (error instanceof TransactionCanceledException) return undefined;
    throw error;
  }
}

/** Committed, or which condition failed, with the item that failed it if the part asked for it. */
export type TransactionOutcome = { readonly committed: true } | Refusal;

export interface Refusal {
  readonly committed: false;
  readonly failedIndex: number;
  readonly oldItem: Record<string, unknown> | undefined;
}

const defaultAttempts = 6;

/** Reasons for which a transaction is canceled although it is valid. The SDK repeats none of them. */
const transientReasons = ['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'];

/** Whether a transaction was canceled, at each attempt, because of other writes of its items or of throttling. */
export function isContention(error: unknown): boolean {
  return error instanceof TransactionCanceledException && isTransient(error);
}

const isTransient = ({ CancellationReasons = [] }: TransactionCanceledException): boolean =>
  CancellationReasons.some(({ Code = '' }) => transientReasons.includes(Code));

/**
 * Writes all items or none. A transaction that is canceled because of another write of one of the items, or because of
 * throttling, is retried with jittered backoff.
 *
 * @param maxAttempts raise it if many transactions contend for one item
 * @throws every DynamoDB error except a failed condition, and a transient one that outlasts all attempts
 */
export async function transact(
  table: Table,
  items: TransactionItems,
  maxAttempts: number = defaultAttempts,
): Promise<TransactionOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await table.client.send(new TransactWriteCommand({ TransactItems: items }));
      return { committed: true };
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const failedIndex = reasons.findIndex((reason) => reason.Code === 'ConditionalCheckFailed');
      if (failedIndex >= 0) {
        const oldItem = reasons[failedIndex]?.Item;
        // The document client does not unmarshall the items inside errors.
        return { committed: false, failedIndex, oldItem: oldItem && unmarshall(oldItem) };
      }
      if (!isTransient(error) || attempt === maxAttempts) throw error;
      await backOff(table, attempt, { baseMs: 50, capMs: 1_000 });
    }
  }
}
