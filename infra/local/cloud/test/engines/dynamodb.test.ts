import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accessOf } from '../../engines/dynamodb/access.ts';
import type { PolicyStatement } from '../../model.ts';
import {
  accountId,
  region,
  smallModel,
  startTestCloud,
  streamArn,
  type TestCloud,
  tableArn,
} from '../../testing/cloud.ts';

let cloud: TestCloud;
let dynamodb: DynamoDBClient;

beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud.stop());
beforeEach(() => {
  dynamodb = new DynamoDBClient(cloud.client());
});

const TableName = 'posts';
const key = (pk: string, sk = 'a') => ({ pk: { S: pk }, sk: { S: sk } });
const put = (pk: string, extra: object = {}, client = dynamodb) =>
  client.send(new PutItemCommand({ TableName, Item: { ...key(pk), ...extra } }));

describe('the table', () => {
  it('is created as in the model', async () => {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toEqual(['by-list']);
    expect(Table?.StreamSpecification).toEqual({ StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' });
    const { TimeToLiveDescription } = await dynamodb.send(new DescribeTimeToLiveCommand({ TableName }));
    expect(TimeToLiveDescription?.AttributeName).toBe('expiresAtSeconds');
  });

  it('keeps its items across a restart', async () => {
    await put('kept');
    await cloud.restart();
    const { Item } = await new DynamoDBClient(cloud.client()).send(
      new GetItemCommand({ TableName, Key: key('kept') }),
    );
    expect(Item).toEqual(key('kept'));
  });

  it('returns the reasons of a cancelled transaction', async () => {
    await put('taken');
    const Put = { TableName, Item: key('taken'), ConditionExpression: 'attribute_not_exists(pk)' };
    await expect(
      dynamodb.send(new TransactWriteItemsCommand({ TransactItems: [{ Put }] })),
    ).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'ConditionalCheckFailed' }],
    });
  });

  it('refuses an unknown table with ResourceNotFoundException', async () => {
    const unknown = new GetItemCommand({ TableName: 'nothing', Key: key('x') });
    await expect(dynamodb.send(unknown)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});

describe('the rights that a request needs', () => {
  const model = smallModel({ endpointUrl: '' });
  const other = `arn:aws:dynamodb:${region}:${accountId}:table/other`;
  const item = { TableName, Key: key('w1') };
  const query = { TableName, KeyConditionExpression: '#p = :p AND sk > :s' };

  it.each<[string, object, [string, string][], string[]]>([
    ['GetItem', item, [['GetItem', tableArn]], []],
    ['PutItem', { TableName, Item: key('w1') }, [['PutItem', tableArn]], ['posts']],
    ['UpdateItem', { ...item, TableName: other }, [['UpdateItem', other]], [other]],
    ['DeleteItem', item, [['DeleteItem', tableArn]], ['posts']],
    ['Query', query, [['Query', tableArn]], []],
    ['Query', { ...query, IndexName: 'by-list' }, [['Query', `${tableArn}/index/by-list`]], []],
    ['Scan', { TableName, IndexName: 'by-list' }, [['Scan', `${tableArn}/index/by-list`]], []],
    [
      'BatchGetItem',
      { RequestItems: { posts: {}, other: {} } },
      [
        ['BatchGetItem', tableArn],
        ['BatchGetItem', other],
      ],
      [],
    ],
    ['BatchWriteItem', { RequestItems: { posts: [] } }, [['BatchWriteItem', tableArn]], ['posts']],
    ['TransactGetItems', { TransactItems: [{ Get: item }] }, [['GetItem', tableArn]], []],
    [
      'TransactWriteItems',
      {
        TransactItems: [
          { Put: item },
          { Update: item },
          { Delete: item },
          { ConditionCheck: { ...item, TableName: 'other' } },
        ],
      },
      [
        ['PutItem', tableArn],
        ['UpdateItem', tableArn],
        ['DeleteItem', tableArn],
        ['ConditionCheckItem', other],
      ],
      ['posts', 'posts', 'posts'],
    ],
    ['DescribeTable', { TableName }, [['DescribeTable', tableArn]], []],
    ['ListTables', {}, [['ListTables', '*']], []],
    ['GetShardIterator', { StreamArn: streamArn }, [['GetShardIterator', streamArn]], []],
    ['GetRecords', {}, [['GetRecords', streamArn]], []],
  ])('%s %j', (operation, input, needed, writes) => {
    const access = accessOf(operation, input, model);
    expect(access?.needed.map(({ action, resource }) => [action.replace('dynamodb:', ''), resource])).toEqual(
      needed,
    );
    expect(access?.writes).toEqual(writes);
  });

  it('are undefined for an unsupported operation', () => {
    expect(accessOf('ExecuteStatement', {}, model)).toBeUndefined();
  });

  it.each([
    ['GetItem', item],
    ['PutItem', { TableName, Item: key('w1') }],
    [
      'Query',
      {
        ...query,
        ExpressionAttributeNames: { '#p': 'pk' },
        ExpressionAttributeValues: { ':p': { S: 'w1' } },
      },
    ],
    [
      'Query',
      {
        TableName,
        IndexName: 'by-list',
        KeyConditionExpression: 'listKey=:l',
        ExpressionAttributeValues: { ':l': { S: 'w1' } },
      },
    ],
    ['BatchGetItem', { RequestItems: { posts: { Keys: [key('w1')] } } }],
    ['BatchWriteItem', { RequestItems: { posts: [{ PutRequest: { Item: key('w1') } }] } }],
    ['TransactGetItems', { TransactItems: [{ Get: item }] }],
    ['TransactWriteItems', { TransactItems: [{ ConditionCheck: item }] }],
  ])('include the leading key of %s', (operation, input) => {
    expect(accessOf(operation, input, model)?.needed[0]?.context).toEqual({ 'dynamodb:LeadingKeys': ['w1'] });
  });
});

it('the rights that a batch needs include the leading keys of all its items, table by table', () => {
  const model = smallModel({ endpointUrl: '' });
  const requests = [{ PutRequest: { Item: key('w1') } }, { DeleteRequest: { Key: key('w2') } }];
  const access = accessOf('BatchWriteItem', { RequestItems: { posts: requests, other: requests } }, model);
  expect(access?.needed.map(({ context }) => context)).toEqual([
    { 'dynamodb:LeadingKeys': ['w1', 'w2'] },
    // A table that the model does not have.
    { 'dynamodb:LeadingKeys': undefined },
  ]);
});

describe('rights', () => {
  const granted = (Action: string | string[], Resource: string, extra: Partial<PolicyStatement> = {}) => {
    cloud.grant('function', { Effect: 'Allow', Action, Resource, ...extra });
    return new DynamoDBClient(cloud.client('function'));
  };
  const refused = (action: string, resource = tableArn) => ({
    name: 'AccessDeniedException',
    message:
      `User: arn:aws:sts::${accountId}:assumed-role/function/session is not authorized to perform: dynamodb:${action} ` +
      `on resource: ${resource} because no identity-based policy allows the dynamodb:${action} action`,
  });

  it('permit what is allowed and nothing else', async () => {
    const client = granted('dynamodb:GetItem', tableArn);
    await expect(client.send(new GetItemCommand({ TableName, Key: key('x') }))).resolves.toBeDefined();
    await expect(put('x', {}, client)).rejects.toMatchObject(refused('PutItem'));
    await expect(
      client.send(new BatchGetItemCommand({ RequestItems: { posts: { Keys: [key('x')] } } })),
    ).rejects.toMatchObject(refused('BatchGetItem'));
  });

  it('are checked for each item of a transaction', async () => {
    const client = granted(['dynamodb:PutItem', 'dynamodb:GetItem'], tableArn);
    const Put = { TableName, Item: key('t1') };
    const ConditionCheck = { TableName, Key: key('t2'), ConditionExpression: 'attribute_not_exists(pk)' };
    await expect(
      client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put }] })),
    ).resolves.toBeDefined();
    await expect(
      client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put }, { ConditionCheck }] })),
    ).rejects.toMatchObject(refused('ConditionCheckItem'));
    const Get = { TableName, Key: key('t1') };
    await expect(
      client.send(new TransactGetItemsCommand({ TransactItems: [{ Get }] })),
    ).resolves.toBeDefined();
  });

  it('distinguish an index from its table', async () => {
    const client = granted('dynamodb:Query', tableArn);
    const command = new QueryCommand({
      TableName,
      IndexName: 'by-list',
      KeyConditionExpression: 'listKey = :l',
      ExpressionAttributeValues: { ':l': { S: 'w1' } },
    });
    await expect(client.send(command)).rejects.toMatchObject(refused('Query', `${tableArn}/index/by-list`));
  });

  it('may be limited to leading keys', async () => {
    const client = granted('dynamodb:*', tableArn, {
      Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': 'mine' } },
    });
    await expect(put('mine', {}, client)).resolves.toBeDefined();
    await expect(put('yours', {}, client)).rejects.toMatchObject({ name: 'AccessDeniedException' });
    const batch = (...names: string[]) =>
      client.send(
        new BatchWriteItemCommand({
          RequestItems: { posts: names.map((name) => ({ PutRequest: { Item: key(name) } })) },
        }),
      );
    await expect(batch('mine')).resolves.toBeDefined();
    await expect(batch('mine', 'yours')).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});

describe('the stream', () => {
  const reader = (name: string) => cloud.engines.streamReader(streamArn, name);
  const now = { maxRecords: 100, waitMs: 0 };
  /** Opens a reader that has read and committed all records so far. */
  async function drained(name: string) {
    const stream = reader(name);
    for (let records = await stream.read(now); records.length > 0; records = await stream.read(now)) {
      stream.commit(records.at(-1)?.dynamodb.SequenceNumber ?? '');
    }
    return stream;
  }

  it("returns changes in Lambda's format, with the model's stream ARN", async () => {
    const stream = await drained('shape');
    await put('s1', { n: { N: '1' } });
    await dynamodb.send(
      new UpdateItemCommand({
        TableName,
        Key: key('s1'),
        UpdateExpression: 'SET n = :n',
        ExpressionAttributeValues: { ':n': { N: '2' } },
      }),
    );
    await dynamodb.send(new DeleteItemCommand({ TableName, Key: key('s1') }));
    const records = await stream.read(now);
    expect(records).toMatchObject([
      { eventName: 'INSERT', dynamodb: { Keys: key('s1'), NewImage: { n: { N: '1' } } } },
      { eventName: 'MODIFY', dynamodb: { OldImage: { n: { N: '1' } }, NewImage: { n: { N: '2' } } } },
      { eventName: 'REMOVE', dynamodb: { OldImage: { n: { N: '2' } } } },
    ]);
    expect(records[0]).toMatchObject({
      eventSourceARN: streamArn,
      awsRegion: region,
      eventSource: 'aws:dynamodb',
    });
    expect(records[0]?.dynamodb).not.toHaveProperty('OldImage');
    expect(new Set(records.map(({ eventID }) => eventID)).size).toBe(3);
  });

  it('has no record for a write that changes nothing', async () => {
    await put('same');
    const stream = await drained('same');
    await put('same');
    await put('different');
    expect((await stream.read(now)).map(({ dynamodb: { Keys } }) => Keys)).toEqual([key('different')]);
  });

  it('wakes a waiting reader after a write', async () => {
    const stream = await drained('waiting');
    // Without the wake, the test would reach its time limit.
    const reading = stream.read({ maxRecords: 10, waitMs: 600_000 });
    await put('wake');
    expect(await reading).toHaveLength(1);
  });

  it('releases a waiting reader if its signal fires', async () => {
    const stream = await drained('abort');
    const abort = new AbortController();
    const reading = stream.read({ maxRecords: 10, waitMs: 5000, signal: abort.signal });
    abort.abort();
    expect(await reading).toEqual([]);
  });

  it('continues after the last commit across a restart, and loses nothing', async () => {
    const stream = await drained('restart');
    for (const pk of ['r1', 'r2', 'r3']) await put(pk);
    const [first] = await stream.read(now);
    stream.commit(first?.dynamodb.SequenceNumber ?? '');
    await cloud.restart();
    dynamodb = new DynamoDBClient(cloud.client());
    await put('r4');
    const records = await reader('restart').read(now);
    expect(records.map(({ dynamodb: { Keys } }) => Keys)).toEqual([key('r2'), key('r3'), key('r4')]);
  });

  it('gives each consumer its own position', async () => {
    const [one, other] = [await drained('one'), await drained('other')];
    await put('both');
    expect(await one.read(now)).toHaveLength(1);
    expect(await other.read(now)).toHaveLength(1);
  });
});

describe('a transaction with an invalid part', () => {
  const update = (parameters: object) => ({
    Update: { TableName, Key: key('typed'), UpdateExpression: 'SET a = :v', ...parameters },
  });
  const send = (part: object) =>
    dynamodb.send(
      new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item: key('other') } }, part] }),
    );

  it.each([
    ['an expression that cannot be read', { ConditionExpression: 'a = = :v' }],
    ['a reserved word', { UpdateExpression: 'SET status = :v' }],
    ['a value that it does not use', { ExpressionAttributeValues: { ':v': { S: 'x' }, ':w': { S: 'x' } } }],
    ['an undefined value', { UpdateExpression: 'SET a = :v, b = :w' }],
    ['a change of the key', { UpdateExpression: 'SET sk = :v' }],
  ])('is refused as a whole for %s', async (_, parameters) => {
    const part = update({ ExpressionAttributeValues: { ':v': { S: 'x' } }, ...parameters });
    await expect(send(part)).rejects.toMatchObject({ name: 'ValidationException' });
  });

  it('is cancelled, with a reason, if only the item makes it invalid', async () => {
    await put('typed', { words: { S: 'x' } });
    const part = update({
      UpdateExpression: 'ADD words :v',
      ExpressionAttributeValues: { ':v': { N: '1' } },
    });
    await expect(send(part)).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'ValidationError' }],
    });
  });
});
