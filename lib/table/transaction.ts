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

/** The name of the table; a part of a transaction needs no more of it. */
type Named = Pick<Table, 'name'>;

/** What a part asks for beside its write. */
interface PartOptions {
  /** Has a refusal tell which item stood in the way. */
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

/** Part of a transaction: writes nothing, and stops the others if the condition does not hold. */
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
 * Reads items all at one moment.
 *
 * @param keys at most 100
 * @returns those that are there; `undefined` while another transaction is writing one of them
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

/** `committed`, or which condition failed, with the item that stood in the way where the write asked for it. */
export type TransactionOutcome = { readonly committed: true } | Refusal;

export interface Refusal {
  readonly committed: false;
  readonly failedIndex: number;
  readonly oldItem: Record<string, unknown> | undefined;
}

const usualAttempts = 6;

/**
 * Writes all or nothing. Two transactions that meet on an item cancel each other without either being wrong
 * (TransactionConflict): those are repeated after a short random wait.
 *
 * @param mostAttempts more where many are expected to meet on one item
 * @throws whatever DynamoDB says that is neither a failed condition nor a conflict
 */
export async function transact(
  table: Table,
  items: TransactionItems,
  mostAttempts: number = usualAttempts,
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
        // The document client leaves the items inside errors as they came.
        return { committed: false, failedIndex, oldItem: oldItem && unmarshall(oldItem) };
      }
      const isConflict = reasons.some((reason) => reason.Code === 'TransactionConflict');
      if (!isConflict || attempt === mostAttempts) throw error;
      await backOff(table, attempt, { baseMs: 50, capMs: 1_000 });
    }
  }
}
