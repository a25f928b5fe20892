import {
  type AttributeValue,
  BatchWriteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConsumedCapacity } from '../../engines/types.ts';
import { startTestCloud, type TestCloud } from '../../testing/cloud.ts';

const TableName = 'posts';
const Key = { pk: { S: 'one' }, sk: { S: 'a' } };
const wrong: readonly (readonly [string, AttributeValue])[] = [
  ['of another type', { N: '1' }],
  ['that is a list', { L: [{ S: 'list' }] }],
  ['that is empty', { S: '' }],
  ['that is too long', { S: 'x'.repeat(2_049) }],
];

// Capacity is metered with the indexes in the table, and not metered without them.
describe.each([true, false])('a table whose capacity is metered: %s', (isMetered) => {
  const consumed: ConsumedCapacity[] = [];
  let cloud: TestCloud;
  let dynamodb: DynamoDBClient;
  beforeAll(async () => {
    cloud = await startTestCloud({
      databaseTiming: { transactionHoldMs: 0, indexLagMs: 0 },
      ...(isMetered && { onConsumedCapacity: (each) => void consumed.push(each) }),
    });
    dynamodb = new DynamoDBClient(cloud.client());
  });
  afterAll(() => cloud.stop());

  const put = (listKey: AttributeValue) =>
    dynamodb.send(new PutItemCommand({ TableName, Item: { ...Key, listKey } }));
  const inIndex = async (list: string) => {
    const { Items } = await dynamodb.send(
      new QueryCommand({
        TableName,
        IndexName: 'by-list',
        KeyConditionExpression: 'listKey = :list',
        ExpressionAttributeValues: { ':list': { S: list } },
      }),
    );
    return Items;
  };

  it('is described with its indexes and the attributes of their keys', async () => {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
    expect(Table).toMatchObject({
      TableName,
      KeySchema: [{ AttributeName: 'pk' }, { AttributeName: 'sk' }],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-list',
          IndexStatus: 'ACTIVE',
          IndexArn: expect.stringMatching(/:table\/posts\/index\/by-list$/),
          KeySchema: [{ AttributeName: 'listKey', KeyType: 'HASH' }],
        },
      ],
    });
    expect(Table?.AttributeDefinitions?.map(({ AttributeName }) => AttributeName).sort()).toEqual([
      'listKey',
      'pk',
      'sk',
    ]);
  });

  it.each(wrong)('refuses an index key %s, and writes nothing', async (_, listKey) => {
    await put({ S: 'before' });
    const refused = { name: 'ValidationException' };
    await expect(put(listKey)).rejects.toMatchObject(refused);
    const PutRequest = { Item: { ...Key, listKey } };
    await expect(
      dynamodb.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: [{ PutRequest }] } })),
    ).rejects.toMatchObject(refused);
    const update = {
      TableName,
      Key,
      UpdateExpression: 'SET listKey = :list',
      ExpressionAttributeValues: { ':list': listKey },
    };
    await expect(dynamodb.send(new UpdateItemCommand(update))).rejects.toMatchObject(refused);
    const { Item } = await dynamodb.send(new GetItemCommand({ TableName, Key }));
    expect(Item).toEqual({ ...Key, listKey: { S: 'before' } });
    expect(await inIndex('before')).toEqual([Item]);
  });

  it.each(wrong)(
    'cancels a transaction for an index key %s, with the reason in its place',
    async (_, listKey) => {
      const other = { ...Key, sk: { S: 'other' } };
      await expect(
        dynamodb.send(
          new TransactWriteItemsCommand({
            TransactItems: [
              { Put: { TableName, Item: other } },
              { Put: { TableName, Item: { ...Key, listKey } } },
            ],
          }),
        ),
      ).rejects.toMatchObject({
        name: 'TransactionCanceledException',
        CancellationReasons: [{ Code: 'None' }, { Code: 'ValidationError' }],
      });
      const { Item } = await dynamodb.send(new GetItemCommand({ TableName, Key: other }));
      expect(Item).toBeUndefined();
    },
  );

  it('keeps an item out of the index if an update has copied an invalid key, and shows the others', async () => {
    const other = { ...Key, sk: { S: 'valid' }, listKey: { S: 'copied' } };
    await dynamodb.send(new PutItemCommand({ TableName, Item: { ...Key, amount: { N: '1' } } }));
    // The engine refuses this only if it has the index.
    const copying = new UpdateItemCommand({ TableName, Key, UpdateExpression: 'SET listKey = amount' });
    const outcome = await dynamodb.send(copying).catch((error: Error) => error.name);
    if (isMetered) expect(outcome).toBe('ValidationException');
    await dynamodb.send(new PutItemCommand({ TableName, Item: other }));
    expect(await inIndex('copied')).toEqual([other]);
  });

  it('reports each part of a transaction with an invalid index key, unless the request itself is invalid', async () => {
    const bad = (sk: string, ConditionExpression?: string) => ({
      Put: { TableName, Item: { ...Key, sk: { S: sk }, listKey: { N: '1' } }, ConditionExpression },
    });
    const fine = { Put: { TableName, Item: { ...Key, sk: { S: 'fine' } } } };
    const send = (TransactItems: TransactWriteItem[]) =>
      dynamodb.send(new TransactWriteItemsCommand({ TransactItems }));
    const mismatch = expect.stringContaining('Type mismatch for Index Key listKey Expected: S Actual: N');
    await expect(send([bad('x'), fine, bad('y')])).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [
        { Code: 'ValidationError', Message: mismatch },
        { Code: 'None' },
        { Code: 'ValidationError', Message: mismatch },
      ],
    });
    const emptySet = { Put: { TableName, Item: { ...Key, set: { SS: [''] } } } };
    await expect(send([bad('x'), emptySet])).rejects.toMatchObject({ name: 'ValidationException' });
  });

  it('accepts an item without an index key, and shows it in the index once it has one', async () => {
    await dynamodb.send(new PutItemCommand({ TableName, Item: Key }));
    expect(await inIndex('later')).toEqual([]);
    await put({ S: 'later' });
    expect(await inIndex('later')).toEqual([{ ...Key, listKey: { S: 'later' } }]);
  });

  it('tells what a write consumes, with the index, or says that it cannot', async () => {
    const write = new PutItemCommand({
      TableName,
      Item: { ...Key, sk: { S: 'new' }, listKey: { S: 'capacity' } },
      ReturnConsumedCapacity: 'INDEXES',
    });
    consumed.splice(0);
    if (isMetered) {
      expect((await dynamodb.send(write)).ConsumedCapacity?.CapacityUnits).toBe(2);
      expect(consumed).toMatchObject([{ writeUnits: 2, byIndex: { 'by-list': 1 } }]);
    } else {
      write.input.ReturnConsumedCapacity = 'NONE';
      await dynamodb.send(write);
      write.input.ReturnConsumedCapacity = 'INDEXES';
      await expect(dynamodb.send(write)).rejects.toMatchObject({
        name: 'ValidationException',
        message: expect.stringContaining('onConsumedCapacity'),
      });
    }
  });
});
