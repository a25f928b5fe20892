import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Item } from './items.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';
import { untilProcessed } from './until-served.ts';

/** The maximum number of items that DynamoDB writes in one BatchWriteItem. */
const batchWriteLimit = 25;
/** The number of requests in flight. Few, because the items often share a partition. */
const concurrentRequests = 5;

/** Writes by key without conditions. */
export interface BatchWrites {
  readonly puts?: readonly Item[];
  readonly deletes?: readonly Key[];
}

/**
 * Stores items, replacing existing ones, and deletes others, in as few requests as possible: one for 25 items, unless
 * DynamoDB returns some unprocessed. Not atomic: if it throws, some items may have been written.
 */
export async function batchWrite(table: Table, { puts = [], deletes = [] }: BatchWrites): Promise<void> {
  const requests = [
    ...puts.map((item) => ({ PutRequest: { Item: item } })),
    ...deletes.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  ];
  const batches = Array.from({ length: Math.ceil(requests.length / batchWriteLimit) }, (_, index) =>
    requests.slice(index * batchWriteLimit, (index + 1) * batchWriteLimit),
  );
  for (let first = 0; first < batches.length; first += concurrentRequests) {
    await Promise.all(
      batches.slice(first, first + concurrentRequests).map((batch) => writeBatch(table, batch)),
    );
  }
}

export const batchPut = (table: Table, items: readonly Item[]): Promise<void> =>
  batchWrite(table, { puts: items });

type WriteRequests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

function writeBatch(table: Table, requests: WriteRequests): Promise<void> {
  return untilProcessed(table, requests, async (waiting) => {
    const { UnprocessedItems } = await table.client.send(
      new BatchWriteCommand({ RequestItems: { [table.name]: [...waiting] } }),
    );
    return UnprocessedItems?.[table.name] ?? [];
  });
}
