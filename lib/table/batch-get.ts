import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { FoundItems } from './found-items.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';
import { untilProcessed } from './until-served.ts';

/** The maximum number of items that DynamoDB reads in one BatchGetItem. */
export const batchGetLimit = 100;

/**
 * Reads items by key in as few requests as possible: one for up to 100 keys, unless DynamoDB returns some unprocessed
 * (throttled, or more than 16 MB). Strongly consistent unless `isEventual` is given.
 *
 * @param options.isEventual costs half, and the items may be about a second old
 */
export async function batchGet(
  table: Table,
  keys: readonly Key[],
  { isEventual = false } = {},
): Promise<FoundItems> {
  if (table.readItems) return table.readItems(keys, isEventual);
  const found = new Map<string, Record<string, unknown>>();
  const distinct = [...new Map(keys.map(({ pk, sk }) => [itemName({ pk, sk }), { pk, sk }])).values()];
  for (let first = 0; first < distinct.length; first += batchGetLimit) {
    await untilProcessed<Key>(table, distinct.slice(first, first + batchGetLimit), async (waiting) => {
      const { Responses, UnprocessedKeys } = await table.client.send(
        new BatchGetCommand({
          RequestItems: { [table.name]: { Keys: [...waiting], ConsistentRead: !isEventual } },
        }),
      );
      for (const item of Responses?.[table.name] ?? []) found.set(itemName(item as unknown as Key), item);
      return (UnprocessedKeys?.[table.name]?.Keys ?? []) as unknown as Key[];
    });
  }
  return { get: (key) => found.get(itemName(key)) };
}

const itemName = ({ pk, sk }: Key): string => `${pk}\n${sk}`;
