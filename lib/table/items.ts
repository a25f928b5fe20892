import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { absent, type Condition, conditionOf } from './condition.ts';
import type { Key } from './keys.ts';
import { backOff, type Table } from './table.ts';
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
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { pk, sk }, ConsistentRead: !isEventual }),
  );
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

/** Deletes an item if the condition holds. @returns whether it held. A missing item meets {@link unconditionally} */
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

/** Whether a single write was rejected, at each attempt, because a transaction was writing the item. Nothing was written. */
export function isTransactionConflict(error: unknown): boolean {
  return error instanceof TransactionConflictException;
}

/** How often a write is tried while transactions write the item. */
const maxAttempts = 6;

/** Repeats a write that was rejected because a transaction was writing the item: the SDK does not repeat it. */
async function outcomeOf(table: Table, write: () => Promise<Item>): Promise<WriteOutcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { written: true, item: await write() };
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException)
        return { written: false, item: error.Item && unmarshall(error.Item) };
      if (!isTransactionConflict(error) || attempt === maxAttempts) throw error;
      await backOff(table, attempt, { baseMs: 50, capMs: 1_000 });
    }
  }
}
