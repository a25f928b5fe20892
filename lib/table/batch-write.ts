import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { backOff, type Table } from './table.ts';

/** What DynamoDB writes in one BatchWriteItem. */
const batchWriteLimit = 25;

/**
 * Stores items, in the place of what is there, in as few requests as DynamoDB allows: one for 25, unless it hands some
 * back unprocessed. All or nothing it is not: where it throws, some may be stored.
 */
export async function batchPut(table: Table, items: readonly Record<string, unknown>[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / batchWriteLimit) }, (_, index) =>
    items.slice(index * batchWriteLimit, (index + 1) * batchWriteLimit),
  );
  await Promise.all(batches.map((batch) => putBatch(table, batch)));
}

async function putBatch(table: Table, items: readonly Record<string, unknown>[]): Promise<void> {
  let waiting = items.map((Item) => ({ PutRequest: { Item } }));
  for (let round = 1; waiting.length > 0; round += 1) {
    const { UnprocessedItems } = await table.client.send(
      new BatchWriteCommand({ RequestItems: { [table.name]: waiting } }),
    );
    const handedBack = (UnprocessedItems?.[table.name] ?? []) as typeof waiting;
    if (handedBack.length === waiting.length) await backOff(table, round, { baseMs: 20, capMs: 500 });
    waiting = handedBack;
  }
}
