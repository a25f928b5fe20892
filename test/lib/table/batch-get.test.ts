import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { batchGet } from '../../../lib/table/batch-get.ts';
import type { Table } from '../../../lib/table/table.ts';
import { createEngineTable } from '../../support/table.ts';

let table: Table;
const keys = Array.from({ length: 250 }, (_, index) => ({ pk: `item ${index}`, sk: 'x' }));
beforeAll(async () => {
  table = await createEngineTable();
  for (let start = 0; start < keys.length; start += 25) {
    const puts = keys
      .slice(start, start + 25)
      .map((key) => ({ PutRequest: { Item: { ...key, is: key.pk } } }));
    await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: puts } }));
  }
});

/** A table whose client is this function, with the numbers of the attempts before which it was waited. */
function handingBackBy(send: unknown) {
  const waits: number[] = [];
  const client = { send } as unknown as Table['client'];
  const backOff = async (attempt: number) => void waits.push(attempt);
  return { handingBack: { name: table.name, client, backOff }, waits };
}

describe('batchGet', () => {
  it('finds every item by its key, beyond the limit of one request', async () => {
    const found = await batchGet(table, keys);
    expect(keys.map((key) => found.get(key)?.['is'])).toEqual(keys.map(({ pk }) => pk));
  });

  it('accepts repeated keys and keys of missing items', async () => {
    const missing = { pk: 'missing', sk: 'x' };
    const [first = missing] = keys;
    const found = await batchGet(table, [first, missing, first, { ...first }]);
    expect(found.get(first)).toMatchObject(first);
    expect(found.get(missing)).toBeUndefined();
  });

  it('finds nothing if it is given no keys', async () => {
    expect((await batchGet(table, [])).get({ pk: 'item 0', sk: 'x' })).toBeUndefined();
  });

  it('requests again the keys that DynamoDB returns unprocessed', async () => {
    let calls = 0;
    const send = (command: { input: { RequestItems: Record<string, { Keys: object[] }> } }) => {
      calls += 1;
      const asked = command.input.RequestItems[table.name]?.Keys ?? [];
      const done = calls % 3 === 0 ? [] : asked.slice(0, 1);
      return Promise.resolve({
        Responses: { [table.name]: done },
        UnprocessedKeys: { [table.name]: { Keys: asked.slice(done.length) } },
      });
    };
    const { handingBack, waits } = handingBackBy(send);
    const found = await batchGet(handingBack, keys.slice(0, 5));
    expect(keys.slice(0, 5).every((key) => found.get(key))).toBe(true);
    // It waits whenever a part is returned, and longer if nothing was processed.
    expect(waits).toEqual([1, 1, 2, 1, 1, 2]);
  });

  it('gives up if DynamoDB never processes anything', async () => {
    const send = (command: { input: { RequestItems: object } }) =>
      Promise.resolve({ UnprocessedKeys: command.input.RequestItems });
    const { handingBack, waits } = handingBackBy(send);
    await expect(batchGet(handingBack, keys.slice(0, 3))).rejects.toThrow('none of 3 items');
    expect(waits).toHaveLength(15);
  });
});
