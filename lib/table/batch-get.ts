import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';
import { backOff, type Table } from './table.ts';

/** The most items that DynamoDB reads in one BatchGetItem. */
export const batchGetLimit = 100;

/** Items found by key. */
export interface FoundItems {
  get(key: Key): Record<string, unknown> | undefined;
}

/**
 * Reads items by key, strongly consistent, in as few requests as possible: one for up to 100 keys, unless DynamoDB
 * returns some unprocessed (throttled, or more than 16 MB).
 */
export async function batchGet(table: Table, keys: readonly Key[]): Promise<FoundItems> {
  const found = new Map<string, Record<string, unknown>>();
  let waiting = [...new Map(keys.map(({ pk, sk }) => [itemName({ pk, sk }), { pk, sk }])).values()];
  for (let round = 0; waiting.length > 0; round += 1) {
    const requested = waiting.slice(0, batchGetLimit);
    const { Responses, UnprocessedKeys } = await table.client.send(
      new BatchGetCommand({ RequestItems: { [table.name]: { Keys: requested, ConsistentRead: true } } }),
    );
    for (const item of Responses?.[table.name] ?? []) found.set(itemName(item as unknown as Key), item);
    const unprocessed = (UnprocessedKeys?.[table.name]?.Keys ?? []) as unknown as Key[];
    if (unprocessed.length === requested.length) {
      await backOff(table, round + 1, { baseMs: 20, capMs: 500 });
    }
    waiting = [...unprocessed, ...waiting.slice(batchGetLimit)];
  }
  return { get: (key) => found.get(itemName(key)) };
}

const itemName = ({ pk, sk }: Key): string => `${pk}\n${sk}`;
