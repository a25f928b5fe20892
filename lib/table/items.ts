import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { absent, type Condition, conditionOf } from './condition.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';
import { untilServed } from './until-served.ts';
import { type ItemUpdate, updateExpressions } from './update.ts';

export type Item = Record<string, unknown>;

/**
 * The result of a conditional write: the item as it is now or, if the condition failed, the item that failed it
 * (`undefined` if there is no item).
 */
export type WriteOutcome =
  | { readonly written: true; readonly item: Item }
  | { readonly written: false; readonly item: Item | undefined };

/**
 * Reads one item, strongly consistent unless `isEventual` is given.
 *
 * @param options.isEventual costs half, and the item may be about a second old
 */
export async function getItem(
  table: Table,
  { pk, sk }: Key,
  { isEventual = false } = {},
): Promise<Item | undefined> {
  const command = new GetCommand({ TableName: table.name, Key: { pk, sk }, ConsistentRead: !isEventual });
  const { Item } = await untilServed(table, () => table.client.send(command));
  return Item;
}

/** Stores an item, replacing an existing one, if the condition holds. */
export async function putItem(table: Table, item: Item, condition: Condition): Promise<WriteOutcome> {
  return outcomeOf(table, async () => {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: item,
        ...conditionOf(condition),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return item;
  });
}

/**
 * Stores an item unless its key exists.
 *
 * @returns the existing item, which stays; `undefined` if this one was stored. The SDK repeats a write whose response
 *   was lost, so the existing item may be this very one.
 */
export async function putIfAbsent(table: Table, item: Item): Promise<Item | undefined> {
  const outcome = await putItem(table, item, { pk: absent });
  return outcome.written ? undefined : (outcome.item ?? {});
}

/** Deletes an item if the condition holds. @returns true if it held. A missing item meets {@link unconditionally} */
export async function deleteItem(table: Table, { pk, sk }: Key, condition: Condition): Promise<boolean> {
  const { written } = await outcomeOf(table, async () => {
    await table.client.send(
      new DeleteCommand({ TableName: table.name, Key: { pk, sk }, ...conditionOf(condition) }),
    );
    return {};
  });
  return written;
}

/**
 * Updates one item if its condition holds.
 *
 * The SDK repeats a write whose response was lost. The repeated write may then fail its condition because the first one
 * succeeded. A caller that must recognize its own write passes a `writeId`, unique to this call, which is stored with it.
 */
export async function updateItem(
  table: Table,
  { pk, sk }: Key,
  update: ItemUpdate,
  writeId?: string,
): Promise<WriteOutcome> {
  const marked = writeId === undefined ? update : { ...update, set: { ...update.set, writeId } };
  const outcome = await outcomeOf(table, async () => {
    const { Attributes = {} } = await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { pk, sk },
        ...updateExpressions(marked),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return Attributes;
  });
  const { item } = outcome;
  return writeId !== undefined && item?.['writeId'] === writeId ? { written: true, item } : outcome;
}

/** True if a single write was rejected, at each attempt, because a transaction was writing the item. Nothing was written. */
export function isTransactionConflict(error: unknown): boolean {
  return error instanceof TransactionConflictException;
}

async function outcomeOf(table: Table, write: () => Promise<Item>): Promise<WriteOutcome> {
  try {
    return { written: true, item: await untilServed(table, write) };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return { written: false, item: error.Item && unmarshall(error.Item) };
  }
}
