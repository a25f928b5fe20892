import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from './items.ts';
import type { Key } from './keys.ts';
import { backOff, type Table } from './table.ts';

/** What DynamoDB writes in one BatchWriteItem. */
const batchWriteLimit = 25;
/** How many requests are made side by side: the items are often of one partition. */
const requestsAtOnce = 5;

/** Writes by key, without conditions. */
export interface BatchWrites {
  readonly puts?: readonly Item[];
  readonly deletes?: readonly Key[];
}

/**
 * Stores items, in the place of what is there, and deletes others, in as few requests as DynamoDB allows: one for 25,
 * unless it hands some back unprocessed. Not all or nothing: if it throws, some may be written.
 */
export async function batchWrite(table: Table, { puts = [], deletes = [] }: BatchWrites): Promise<void> {
  const requests = [
    ...puts.map((item) => ({ PutRequest: { Item: item } })),
    ...deletes.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  ];
  const batches = Array.from({ length: Math.ceil(requests.length / batchWriteLimit) }, (_, index) =>
    requests.slice(index * batchWriteLimit, (index + 1) * batchWriteLimit),
  );
  for (let first = 0; first < batches.length; first += requestsAtOnce) {
    await Promise.all(batches.slice(first, first + requestsAtOnce).map((batch) => writeBatch(table, batch)));
  }
}

export const batchPut = (table: Table, items: readonly Item[]): Promise<void> =>
  batchWrite(table, { puts: items });

async function writeBatch(table: Table, requests: readonly object[]): Promise<void> {
  let waiting = requests;
  for (let round = 1; waiting.length > 0; round += 1) {
    const { UnprocessedItems } = await table.client.send(
      new BatchWriteCommand({ RequestItems: { [table.name]: [...waiting] } }),
    );
    const handedBack = UnprocessedItems?.[table.name] ?? [];
    if (handedBack.length === waiting.length) await backOff(table, round, { baseMs: 20, capMs: 500 });
    waiting = handedBack;
  }
}
