import {
  type AttributeValue,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../testing/cloud.ts';

const TableName = 'posts';
const hourMs = 3_600_000;
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'a' } });

let cloud: TestCloud;
let dynamodb: DynamoDBClient;
beforeAll(async () => {
  cloud = await startTestCloud({ databaseTiming: { transactionHoldMs: 0, indexLagMs: hourMs } });
  dynamodb = new DynamoDBClient(cloud.client());
});
afterAll(() => cloud.stop());

let lists = 0;
function newList(): string {
  lists += 1;
  return `list ${lists}`;
}

const put = (pk: string, list: string, extra: Record<string, AttributeValue> = {}) =>
  dynamodb.send(new PutItemCommand({ TableName, Item: { ...key(pk), listKey: { S: list }, ...extra } }));

async function inIndex(list: string, input: Partial<QueryCommandInput> = {}) {
  const { ExpressionAttributeValues, ...rest } = input;
  const { Items = [], LastEvaluatedKey } = await dynamodb.send(
    new QueryCommand({
      TableName,
      IndexName: 'by-list',
      KeyConditionExpression: 'listKey = :list',
      ExpressionAttributeValues: { ':list': { S: list }, ...ExpressionAttributeValues },
      ...rest,
    }),
  );
  return { names: Items.map(({ pk }) => pk?.S), Items, LastEvaluatedKey };
}

/** Ends the lag of all writes up to now: the first read makes sure that the lag of each has begun. */
async function endLag(list: string): Promise<void> {
  await inIndex(list);
  cloud.clock.advance(hourMs);
}

describe('an index', () => {
  it('shows a new item only after the lag, while the table shows it at once', async () => {
    const list = newList();
    await put('new', list);
    const { Item } = await dynamodb.send(new GetItemCommand({ TableName, Key: key('new') }));
    expect(Item).toBeDefined();
    expect((await inIndex(list)).names).toEqual([]);
    cloud.clock.advance(hourMs - 60_000);
    expect((await inIndex(list)).names).toEqual([]);
    cloud.clock.advance(60_000);
    expect((await inIndex(list)).names).toEqual(['new']);
  });

  it('shows the old item until then, under its old key and with its old values, and deleted items', async () => {
    const [from, to] = [newList(), newList()];
    await put('moved', from, { value: { N: '1' } });
    await put('deleted', from);
    await endLag(from);
    await put('moved', to, { value: { N: '2' } });
    await dynamodb.send(new DeleteItemCommand({ TableName, Key: key('deleted') }));
    expect((await inIndex(from)).names.sort()).toEqual(['deleted', 'moved']);
    expect((await inIndex(to)).names).toEqual([]);
    await endLag(from);
    expect((await inIndex(from)).names).toEqual([]);
    expect((await inIndex(to)).Items).toMatchObject([{ value: { N: '2' } }]);
  });

  it('shows the last of many writes', async () => {
    const list = newList();
    for (let value = 1; value <= 20; value += 1) await put('often', list, { value: { N: String(value) } });
    await endLag(list);
    expect((await inIndex(list)).Items).toMatchObject([{ value: { N: '20' } }]);
  });

  it('filters by the old values', async () => {
    const list = newList();
    await put('filtered', list, { status: { S: 'draft' } });
    await endLag(list);
    await dynamodb.send(
      new UpdateItemCommand({
        TableName,
        Key: key('filtered'),
        UpdateExpression: 'SET #status = :status',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':status': { S: 'published' } },
      }),
    );
    const withStatus = (status: string) =>
      inIndex(list, {
        FilterExpression: '#status = :status',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':status': { S: status } },
      });
    expect((await withStatus('draft')).names).toEqual(['filtered']);
    expect((await withStatus('published')).names).toEqual([]);
  });

  it('gives each item once, page by page, although items are written in between', async () => {
    const list = newList();
    const names = Array.from({ length: 30 }, (_, index) => `page ${String(index).padStart(2, '0')}`);
    for (const name of names) await put(name, list);
    await endLag(list);
    const seen: (string | undefined)[] = [];
    let start: QueryCommandInput['ExclusiveStartKey'];
    do {
      const page = await inIndex(list, { Limit: 7, ExclusiveStartKey: start });
      expect(page.names.length).toBeLessThanOrEqual(7);
      seen.push(...page.names);
      start = page.LastEvaluatedKey;
      await put(`between ${seen.length}`, list);
      await dynamodb.send(new DeleteItemCommand({ TableName, Key: key(names[seen.length] ?? 'none') }));
    } while (start);
    expect(seen.sort()).toEqual(names);
  });

  it('shows all of more writes than one transaction may have, by their number and by their bytes', async () => {
    const list = newList();
    const names = Array.from({ length: 120 }, (_, index) => `large ${String(index).padStart(3, '0')}`);
    const text = { S: '語'.repeat(40_000) };
    await Promise.all(names.map((name) => put(name, list, { text })));
    await endLag(list);
    const seen: (string | undefined)[] = [];
    let start: QueryCommandInput['ExclusiveStartKey'];
    do {
      const page = await inIndex(list, { ExclusiveStartKey: start, ProjectionExpression: 'pk' });
      seen.push(...page.names);
      start = page.LastEvaluatedKey;
    } while (start);
    expect(seen.sort()).toEqual(names);
  });

  it('is scanned with the lag too', async () => {
    const list = newList();
    await put('scanned', list);
    const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName, IndexName: 'by-list' }));
    expect(Items.filter(({ listKey }) => listKey?.S === list)).toEqual([]);
  });

  it('keeps what it has not shown yet across a restart', async () => {
    const list = newList();
    await put('before restart', list);
    await cloud.restart();
    dynamodb = new DynamoDBClient(cloud.client());
    expect((await inIndex(list)).names).toEqual([]);
    cloud.clock.advance(hourMs);
    expect((await inIndex(list)).names).toEqual(['before restart']);
  });

  it('shows after a restart what it would have shown before', async () => {
    const list = newList();
    await put('due before restart', list);
    await endLag(list);
    await cloud.restart();
    dynamodb = new DynamoDBClient(cloud.client());
    expect((await inIndex(list)).names).toEqual(['due before restart']);
  });

  it('has no visible table of its own', async () => {
    expect((await dynamodb.send(new ListTablesCommand({}))).TableNames).toEqual([TableName]);
  });
});

it('an index without lag shows every write, until it is given a lag', async () => {
  const timing = { transactionHoldMs: 0, indexLagMs: 0 };
  const other = await startTestCloud({ databaseTiming: timing });
  try {
    const client = new DynamoDBClient(other.client());
    const Item = { ...key('at once'), listKey: { S: 'at once' } };
    await client.send(new PutItemCommand({ TableName, Item }));
    const query = new QueryCommand({
      TableName,
      IndexName: 'by-list',
      KeyConditionExpression: 'listKey = :list',
      ExpressionAttributeValues: { ':list': { S: 'at once' } },
    });
    expect((await client.send(query)).Items).toHaveLength(1);
    timing.indexLagMs = hourMs;
    await client.send(new PutItemCommand({ TableName, Item: { ...Item, sk: { S: 'b' } } }));
    expect((await client.send(query)).Items).toHaveLength(1);
  } finally {
    await other.stop();
  }
});
