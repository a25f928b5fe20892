import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../testing/cloud.ts';

const TableName = 'posts';
const keyOf = (sk: string) => ({ pk: { S: 'batch' }, sk: { S: sk } });
const put = (sk: string, text = ''): WriteRequest => ({
  PutRequest: { Item: { ...keyOf(sk), text: { S: text } } },
});
const names = (count: number) => Array.from({ length: count }, (_, index) => `item ${index}`);

// Only without metering does the engine get a transaction.
describe.each([true, false])('a BatchWriteItem, if capacity is metered: %s', (isMetered) => {
  let cloud: TestCloud;
  let dynamodb: DynamoDBClient;
  beforeAll(async () => {
    cloud = await startTestCloud(isMetered ? { onConsumedCapacity: () => {} } : {});
    dynamodb = new DynamoDBClient(cloud.client());
  });
  afterAll(() => cloud.stop());

  const write = (requests: WriteRequest[], table = TableName) =>
    dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
  const found = async (sks: readonly string[]) => {
    const Keys = sks.map(keyOf);
    const { Responses } = await dynamodb.send(
      new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }),
    );
    return (Responses?.[TableName] ?? []).map(({ sk, text }) => [sk?.S, text?.S]).sort();
  };

  it('replaces and deletes items, and says that none is unprocessed', async () => {
    await write([put('a', 'old'), put('b', 'old')]);
    const answer = await write([put('a', 'new'), { DeleteRequest: { Key: keyOf('b') } }, put('c', 'new')]);
    expect(answer.UnprocessedItems).toEqual({});
    expect(await found(['a', 'b', 'c'])).toEqual([
      ['a', 'new'],
      ['c', 'new'],
    ]);
  });

  it('may be larger than a transaction', async () => {
    const large = names(20);
    await write(large.map((name) => put(name, 'x'.repeat(300_000))));
    const halves = await Promise.all([found(large.slice(0, 10)), found(large.slice(10))]);
    expect(halves.flat()).toHaveLength(20);
  });

  it.each<[string, WriteRequest[], RegExp]>([
    ['more than 25 items', names(26).map((name) => put(name)), /25/],
    ['the same item twice', [put('twice'), put('twice')], /duplicates/],
    ['a write that is neither', [put('neither'), {}], /./],
    ['an item without its key', [put('lonely'), { PutRequest: { Item: { pk: { S: 'batch' } } } }], /./],
    ['no items', [], /./],
  ])('is refused with %s, and writes nothing', async (_, requests, message) => {
    const before = await found(['twice', 'neither', 'lonely']);
    const refused = { name: 'ValidationException', message: expect.stringMatching(message) };
    await expect(write(requests)).rejects.toMatchObject(refused);
    expect(await found(['twice', 'neither', 'lonely'])).toEqual(before);
  });

  it('is refused for a table that does not exist', async () => {
    await expect(write([put('a')], 'nowhere')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  it('writes only to the table that it names, whatever else its requests have', async () => {
    const Item = { pk: { S: 'guarded' }, sk: { S: 'a' } };
    // A table that the engine has.
    const smuggled = { Item, TableName: `${TableName}.index-copy` };
    const signed = new DynamoDBClient(cloud.client());
    signed.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as { body: string; headers: Record<string, string> };
        request.body = JSON.stringify({ RequestItems: { [TableName]: [{ PutRequest: smuggled }] } });
        request.headers['content-length'] = String(Buffer.byteLength(request.body));
        return next(args);
      },
      { step: 'build', priority: 'low' },
    );
    await signed.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: [put('replaced')] } }));
    const { Item: written } = await dynamodb.send(
      new GetItemCommand({ TableName, Key: Item, ConsistentRead: true }),
    );
    expect(written).toEqual(Item);
  });

  it('is in the stream in its order', async () => {
    const reader = cloud.engines.streamReader(
      cloud.engines.model.tables.find(({ name }) => name === TableName)?.streamArn ?? '',
      'batches',
    );
    const read = () => reader.read({ maxRecords: 1_000, waitMs: 0 });
    for (let records = await read(); records.length > 0; ) records = await read();
    await write(['z', 'm', 'a'].map((name) => put(name, 'streamed')));
    await dynamodb.send(new PutItemCommand({ TableName, Item: keyOf('after') }));
    const records = await read();
    expect(records.map(({ dynamodb: { Keys } }) => Keys['sk'])).toEqual(
      ['z', 'm', 'a', 'after'].map((S) => ({ S })),
    );
  });
});
