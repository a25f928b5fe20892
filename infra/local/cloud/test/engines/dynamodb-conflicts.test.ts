import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTokenBuckets } from '../../engines/token-bucket.ts';
import { startTestCloud, type TestCloud } from '../../testing/cloud.ts';

const TableName = 'posts';
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'a' } });
const put = (pk: string) => ({ Put: { TableName, Item: key(pk) } });

let cloud: TestCloud;
let dynamodb: DynamoDBClient;
/** Called with each operation once it has arrived. */
let onArrival = (_operation: string) => {};
beforeAll(async () => {
  cloud = await startTestCloud({
    databaseTiming: { transactionHoldMs: 300, indexLagMs: 0 },
    onAwsCall: ({ action }) => onArrival(action),
  });
  dynamodb = new DynamoDBClient(cloud.client());
});
afterAll(() => cloud.stop());

/** Runs a request while a transaction that puts the items `held` and `also held` is running. */
async function during<Output>(request: () => Promise<Output>, token?: string): Promise<Output> {
  const arrived = new Promise<void>((resolve) => {
    onArrival = (operation) => operation === 'TransactWriteItems' && resolve();
  });
  const transaction = dynamodb.send(
    new TransactWriteItemsCommand({
      TransactItems: [put('held'), put('also held')],
      ClientRequestToken: token,
    }),
  );
  await arrived;
  try {
    return await request();
  } finally {
    await transaction;
  }
}

describe('while a transaction writes an item', () => {
  it.each([
    ['PutItem', () => dynamodb.send(new PutItemCommand({ TableName, Item: key('held') }))],
    ['UpdateItem', () => dynamodb.send(new UpdateItemCommand({ TableName, Key: key('held') }))],
    ['DeleteItem', () => dynamodb.send(new DeleteItemCommand({ TableName, Key: key('held') }))],
  ])('%s of it is refused with TransactionConflictException', async (_, request) => {
    await expect(during<unknown>(request)).rejects.toMatchObject({
      name: 'TransactionConflictException',
      message: 'Transaction is ongoing for the item',
    });
  });

  it('another transaction is cancelled, with the reasons in the order of its parts', async () => {
    const TransactItems = [put('free'), put('also held'), put('also free'), put('held')];
    const other = during(() => dynamodb.send(new TransactWriteItemsCommand({ TransactItems })));
    await expect(other).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      message: expect.stringContaining('[None, TransactionConflict, None, TransactionConflict]'),
      CancellationReasons: ['None', 'TransactionConflict', 'None', 'TransactionConflict'].map((Code) =>
        expect.objectContaining({ Code }),
      ),
    });
  });

  it('even a mere check of it in another transaction is cancelled', async () => {
    const check = { TableName, Key: key('held'), ConditionExpression: 'attribute_exists(pk)' };
    const other = new TransactWriteItemsCommand({ TransactItems: [{ ConditionCheck: check }] });
    await expect(during(() => dynamodb.send(other))).rejects.toMatchObject({
      CancellationReasons: [{ Code: 'TransactionConflict' }],
    });
  });

  it('TransactGetItems of it is cancelled', async () => {
    const TransactItems = ['free', 'held'].map((pk) => ({ Get: { TableName, Key: key(pk) } }));
    const read = during(() => dynamodb.send(new TransactGetItemsCommand({ TransactItems })));
    await expect(read).rejects.toMatchObject({
      CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
    });
  });

  it('it can be read', async () => {
    const read = () =>
      dynamodb.send(new GetItemCommand({ TableName, Key: key('held'), ConsistentRead: true }));
    await expect(during(read)).resolves.toBeDefined();
  });

  it('a batch writes the other items, and hands back this one', async () => {
    const requests = ['held', 'in batch'].map((pk) => ({ PutRequest: { Item: key(pk) } }));
    const batch = new BatchWriteItemCommand({ RequestItems: { [TableName]: requests } });
    const { UnprocessedItems } = await during(() => dynamodb.send(batch));
    expect(UnprocessedItems).toEqual({ [TableName]: [{ PutRequest: { Item: key('held') } }] });
    const { Item } = await dynamodb.send(new GetItemCommand({ TableName, Key: key('in batch') }));
    expect(Item).toEqual(key('in batch'));
  });

  it('other items can be written', async () => {
    const other = () => dynamodb.send(new PutItemCommand({ TableName, Item: key('other') }));
    await expect(during(other)).resolves.toBeDefined();
  });

  it('the same request, sent again, is told that it is in progress', async () => {
    const again = new TransactWriteItemsCommand({
      TransactItems: [put('held'), put('also held')],
      ClientRequestToken: 'one request',
    });
    await expect(during(() => dynamodb.send(again), 'one request')).rejects.toMatchObject({
      name: 'TransactionInProgressException',
    });
    await expect(dynamodb.send(again)).resolves.toBeDefined();
  });
});

describe('after a transaction', () => {
  it('its items can be written, whether it was committed or refused', async () => {
    const refused = { TableName, Key: key('held'), ConditionExpression: 'attribute_not_exists(pk)' };
    const TransactItems = [put('free'), { Delete: refused }];
    await during(async () => {});
    await expect(dynamodb.send(new TransactWriteItemsCommand({ TransactItems }))).rejects.toMatchObject({
      CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
    });
    for (const pk of ['held', 'free']) {
      await expect(dynamodb.send(new PutItemCommand({ TableName, Item: key(pk) }))).resolves.toBeDefined();
    }
  });
});

describe('with a rate', () => {
  /** Runs a request when `tokens` items may be read or written, and no more for an hour. */
  async function withTokens<Output>(tokens: number, request: () => Promise<Output>): Promise<Output> {
    limited.buckets.dynamodb.setRate({ perSecond: 0, burst: tokens });
    try {
      return await request();
    } finally {
      limited.buckets.dynamodb.setRate(undefined);
    }
  }

  let limited: { readonly buckets: ReturnType<typeof createTokenBuckets>; readonly cloud: TestCloud };
  let client: DynamoDBClient;
  beforeAll(async () => {
    const buckets = createTokenBuckets();
    limited = {
      buckets,
      cloud: await startTestCloud({ buckets, databaseTiming: { transactionHoldMs: 0, indexLagMs: 0 } }),
    };
    client = new DynamoDBClient(limited.cloud.client());
  });
  afterAll(() => limited.cloud.stop());

  it.each([
    ['GetItem', () => client.send(new GetItemCommand({ TableName, Key: key('a') }))],
    ['PutItem', () => client.send(new PutItemCommand({ TableName, Item: key('a') }))],
    ['UpdateItem', () => client.send(new UpdateItemCommand({ TableName, Key: key('a') }))],
    [
      'Query',
      () =>
        client.send(
          new QueryCommand({
            TableName,
            KeyConditionExpression: 'pk = :p',
            ExpressionAttributeValues: { ':p': { S: 'a' } },
          }),
        ),
    ],
    [
      'BatchWriteItem',
      () =>
        client.send(
          new BatchWriteItemCommand({
            RequestItems: { [TableName]: [{ PutRequest: { Item: key('a') } }] },
          }),
        ),
    ],
  ])('%s without a token is refused with ProvisionedThroughputExceededException', async (_, request) => {
    await expect(withTokens<unknown>(1, request)).resolves.toBeDefined();
    await expect(withTokens<unknown>(0, request)).rejects.toMatchObject({
      name: 'ProvisionedThroughputExceededException',
    });
  });

  it.each([
    ['TransactWriteItems', () => new TransactWriteItemsCommand({ TransactItems: ['a', 'b', 'c'].map(put) })],
    [
      'TransactGetItems',
      () =>
        new TransactGetItemsCommand({
          TransactItems: ['a', 'b', 'c'].map((pk) => ({ Get: { TableName, Key: key(pk) } })),
        }),
    ],
  ])('%s is cancelled, with ThrottlingError for the items without tokens', async (_, command) => {
    const sent = withTokens(1, () => client.send(command() as TransactGetItemsCommand));
    await expect(sent).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: ['None', 'ThrottlingError', 'ThrottlingError'].map((Code) =>
        expect.objectContaining({ Code }),
      ),
    });
  });

  it('a batch processes what it has tokens for, and hands back the rest', async () => {
    const keys = ['a', 'b', 'c'].map(key);
    const writes = keys.map((Item) => ({ PutRequest: { Item } }));
    const write = new BatchWriteItemCommand({ RequestItems: { [TableName]: writes } });
    const { UnprocessedItems } = await withTokens(1, () => client.send(write));
    expect(UnprocessedItems?.[TableName]).toEqual(writes.slice(1));
    await client.send(write);
    const read = new BatchGetItemCommand({
      RequestItems: { [TableName]: { Keys: keys, ConsistentRead: true } },
    });
    const { Responses, UnprocessedKeys } = await withTokens(2, () => client.send(read));
    expect(Responses?.[TableName]).toHaveLength(2);
    expect(UnprocessedKeys).toEqual({ [TableName]: { Keys: keys.slice(2), ConsistentRead: true } });
  });
});
