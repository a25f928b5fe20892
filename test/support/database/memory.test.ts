import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { tableDefinition } from '../table-definition.ts';
import { compareOn, compareOnRandomRequests, compareOnSeed, createTables, openDatabases } from './compare.ts';
import type { Item } from './database.ts';
import { createMemoryDatabase } from './memory.ts';
import { inputFor } from './random-requests.ts';

const databases = openDatabases();
let tableName: string;
beforeAll(async () => {
  tableName = await createTables(databases);
});

describe('the database in memory answers like the real engine', () => {
  /** A sample: the deep run compares many. */
  it('random requests', () => compareOnRandomRequests(databases, { seed: 42, numRuns: 40 }));

  it('all requests of a seed', () => compareOnSeed(databases, 2));

  const key = { pk: 'a', sk: '1' };
  const names = { '#a': 'a', '#b': 'b', '#n': 'n' };
  const update = (UpdateExpression: string, values: Item, used: readonly (keyof typeof names)[]) => ({
    Key: key,
    UpdateExpression,
    ReturnValues: 'ALL_NEW',
    ExpressionAttributeNames: Object.fromEntries(used.map((name) => [name, names[name]])),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  });
  const query = { ExpressionAttributeNames: { '#pk': 'pk' } };

  it.each<[string, string, Item]>([
    ['an update creates an item', 'UpdateItem', update('ADD #n :n', { ':n': 2 }, ['#n'])],
    [
      'copies an attribute',
      'UpdateItem',
      update('SET #a = #n, #b = :b', { ':b': { c: [1, null, true] } }, ['#a', '#b', '#n']),
    ],
    [
      'adds texts to a set',
      'UpdateItem',
      update('SET #a = :a ADD #n :n', { ':a': new Set(['x']), ':n': 1 }, ['#a', '#n']),
    ],
    ['adds two more', 'UpdateItem', update('ADD #a :a', { ':a': new Set(['y', 'z']) }, ['#a'])],
    ['takes texts out of a set', 'UpdateItem', update('DELETE #a :a', { ':a': new Set(['x', 'q']) }, ['#a'])],
    ['takes out the rest', 'UpdateItem', update('DELETE #a :a', { ':a': new Set(['y', 'z']) }, ['#a'])],
    ['takes out of no set', 'UpdateItem', update('DELETE #a :a', { ':a': new Set(['y']) }, ['#a'])],
    ['takes texts out of a number', 'UpdateItem', update('DELETE #n :a', { ':a': new Set(['y']) }, ['#n'])],
    ['makes the set again', 'UpdateItem', update('ADD #a :a', { ':a': new Set(['x']) }, ['#a'])],
    ['adds a number to a set', 'UpdateItem', update('ADD #a :n', { ':n': 1 }, ['#a'])],
    ['changes a part', 'UpdateItem', update('SET #b.c[0] = :n REMOVE #b.c[1]', { ':n': 5 }, ['#b'])],
    ['changes a part that is missing', 'UpdateItem', update('SET #b.d.e = :n', { ':n': 5 }, ['#b'])],
    ['adds to a missing number', 'UpdateItem', update('SET #a = missing + :n', { ':n': 5 }, ['#a'])],
    ['has a value too many', 'UpdateItem', update('SET #a = :n', { ':n': 5, ':m': 5 }, ['#a'])],
    ['has a name too many', 'UpdateItem', update('SET #a = :n', { ':n': 5 }, ['#a', '#b'])],
    ['lacks a value', 'UpdateItem', update('SET #a = :n', {}, ['#a'])],
    ['writes the key', 'UpdateItem', update('SET sk = :n', { ':n': 'b' }, [])],
    ['an index key that is no text', 'PutItem', { Item: { ...key, dueAt: 5 } }],
    ['a put', 'PutItem', { Item: { pk: 'a', sk: '2', n: 1, bytes: new Uint8Array([1, 2]), list: [] } }],
    [
      'a put of another partition',
      'PutItem',
      { Item: { pk: 'b', sk: '2', workspaceList: 'w', createdKey: '1' } },
    ],
    ['and one more', 'PutItem', { Item: { pk: 'b', sk: '1', workspaceList: 'w', createdKey: '2' } }],
    [
      'a failed condition',
      'PutItem',
      {
        Item: { pk: 'a', sk: '2' },
        ConditionExpression: 'n > :n',
        ExpressionAttributeValues: { ':n': 1 },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    ],
    [
      'a missing attribute differs',
      'DeleteItem',
      {
        Key: { pk: 'a', sk: '3' },
        ConditionExpression: 'n <> :n',
        ExpressionAttributeValues: { ':n': 1 },
      },
    ],
    [
      'types are not compared',
      'DeleteItem',
      {
        Key: { pk: 'a', sk: '2' },
        ConditionExpression: 'n < :n',
        ExpressionAttributeValues: { ':n': 'x' },
      },
    ],
    ['a read', 'GetItem', { Key: { pk: 'a', sk: '2' } }],
    ['a read of nothing', 'GetItem', { Key: { pk: 'a', sk: '9' } }],
    [
      'a projection',
      'GetItem',
      {
        Key: { pk: 'a', sk: '2' },
        ProjectionExpression: '#n, #b',
        ExpressionAttributeNames: { '#n': 'n', '#b': 'b' },
      },
    ],
    [
      'the first page',
      'Query',
      {
        ...query,
        KeyConditionExpression: '#pk = :partition',
        ExpressionAttributeValues: { ':partition': 'a' },
        Limit: 1,
      },
    ],
    [
      'the next page',
      'Query',
      {
        ...query,
        KeyConditionExpression: '#pk = :partition',
        ExpressionAttributeValues: { ':partition': 'a' },
        Limit: 1,
        ExclusiveStartKey: key,
      },
    ],
    [
      'a count',
      'Query',
      {
        ...query,
        KeyConditionExpression: '#pk = :partition',
        ExpressionAttributeValues: { ':partition': 'b' },
        Select: 'COUNT',
      },
    ],
    [
      'backwards with a filter',
      'Query',
      {
        ...query,
        KeyConditionExpression: '#pk = :partition AND sk >= :sort',
        FilterExpression: 'n = :n',
        ExpressionAttributeValues: { ':partition': 'a', ':sort': '1', ':n': 1 },
        ScanIndexForward: false,
      },
    ],
    [
      'an index',
      'Query',
      {
        IndexName: 'posts-newest-first',
        KeyConditionExpression: 'workspaceList = :partition',
        ExpressionAttributeValues: { ':partition': 'w' },
        ScanIndexForward: false,
        Limit: 1,
      },
    ],
    [
      'a put with a list',
      'PutItem',
      {
        Item: {
          pk: 'c',
          sk: '1',
          workspaceList: 'v',
          scheduledFor: '2026-03-01T09:00:00.000Z',
          list: [{ name: 'one' }, { name: 'other' }],
        },
      },
    ],
    ...['one', 'other', 'third'].map((value): [string, string, Item] => [
      `an index between two times, if an element of a list is ${value}`,
      'Query',
      {
        IndexName: 'posts-by-time',
        KeyConditionExpression: 'workspaceList = :partition AND scheduledFor BETWEEN :sort AND :sort_',
        FilterExpression: '(#list[0].#name = :value OR #list[1].#name = :value OR #list[2].#name = :value)',
        ExpressionAttributeNames: { '#list': 'list', '#name': 'name' },
        ExpressionAttributeValues: {
          ':partition': 'v',
          ':sort': '2026-03-01T09:00:00.000Z',
          ':sort_': '2026-03-01T09:00:00.000Z',
          ':value': value,
        },
      },
    ]),
    [
      'an index of keys',
      'Query',
      {
        IndexName: 'overdue',
        KeyConditionExpression: 'dueShard = :partition AND dueAt < :sort',
        ExpressionAttributeValues: { ':partition': 's', ':sort': 't' },
      },
    ],
    [
      'a snapshot',
      'TransactGetItems',
      {
        TransactItems: [{ Get: { Key: key } }, { Get: { Key: { pk: 'x', sk: 'y' } } }],
      },
    ],
    [
      'a transaction that fails',
      'TransactWriteItems',
      {
        TransactItems: [
          { Delete: { Key: key } },
          {
            ConditionCheck: {
              Key: { pk: 'b', sk: '1' },
              ConditionExpression: 'attribute_not_exists(pk)',
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            },
          },
        ],
      },
    ],
    [
      'a transaction that names an item twice',
      'TransactWriteItems',
      {
        TransactItems: [{ Delete: { Key: key } }, { Put: { Item: key } }],
      },
    ],
    ['the transaction has written nothing', 'GetItem', { Key: key }],
  ])('%s', async (_name, operation, input) => {
    await compareOn(databases, operation, inputFor(tableName, { operation, input }));
  });
});

const kilobyte = 1_024;
const text = (bytes: number) => 'x'.repeat(bytes);

describe('has the limits of the real engine', () => {
  const compare = (operation: string, input: Item) =>
    compareOn(databases, operation, inputFor(tableName, { operation, input }));
  const keyNumber = (number: number) => ({ pk: 'limits', sk: String(number).padStart(4, '0') });
  const keysUpTo = (count: number) => Array.from({ length: count }, (_, number) => keyNumber(number));

  const key = { pk: 'size', sk: '1' };
  /** The bytes of an item with this key and an attribute `x` that is an empty text. */
  const keyBytes = 'pk'.length + 'size'.length + 'sk'.length + '1'.length + 'x'.length;

  it.each<[string, unknown, bytes: number]>([
    ['only a text', undefined, -1],
    ['0', 0, 1],
    ['a number', 12_345, 4],
    ['a negative number', -123, 4],
    ['a round number', 1_000, 2],
    ['true', true, 1],
    ['null', null, 1],
    ['an empty list', [], 3],
    ['a list', ['a', ['b']], 3 + 2 + 1 + 3 + 2],
    ['a map', { a: 'b' }, 3 + 3],
    ['a set', new Set(['a', 'bc']), 3],
    ['bytes', new Uint8Array(5), 5],
    ['a text of more than one byte per character', 'é😀', 6],
  ])('an item of 400 KB with %s is stored, and no larger one', async (_name, y, bytes) => {
    const left = 400 * kilobyte - keyBytes - ('y'.length + bytes);
    const { output } = await compare('PutItem', { Item: { ...key, x: text(left), y } });
    expect(output).toBeDefined();
    const { error } = await compare('PutItem', { Item: { ...key, x: text(left + 1), y } });
    expect(error).toMatchObject({ name: 'ValidationException' });
    const addition = { ExpressionAttributeValues: { ':z': 1 }, UpdateExpression: 'SET z = :z' };
    expect((await compare('UpdateItem', { Key: key, ...addition })).error).toBeDefined();
  });

  it.each([
    ['a partition key of 2 KB', { pk: text(2 * kilobyte), sk: 's' }],
    ['a longer one', { pk: text(2 * kilobyte + 1), sk: 's' }],
    ['a sort key of 1 KB', { pk: 'p', sk: text(kilobyte) }],
    ['a longer one', { pk: 'p', sk: text(kilobyte + 1) }],
  ])('%s', async (_name, Key) => {
    await compare('GetItem', { Key });
    await compare('PutItem', { Item: Key });
  });

  it('a page of a query or scan ends before it has more than 1 MB, whatever passes the filter', async () => {
    const table = await createTables(databases);
    const on = (operation: string, input: Item) =>
      compareOn(databases, operation, inputFor(table, { operation, input }));
    for (const Item of keysUpTo(25)) {
      const ofIndexes = { workspaceList: 'w', scheduledFor: Item.sk, dueShard: 's', dueAt: 'd' };
      await on('PutItem', { Item: { ...Item, ...ofIndexes, x: text(100 * kilobyte) } });
    }
    const pagesOf = async (input: Item, operation = 'Query'): Promise<number[]> => {
      const counts: number[] = [];
      let start: Item = {};
      do {
        const { output } = await on(operation, { ...input, ...start });
        counts.push(Number(output?.['Count']));
        start = output?.['LastEvaluatedKey'] ? { ExclusiveStartKey: output['LastEvaluatedKey'] } : {};
      } while (start['ExclusiveStartKey']);
      return counts;
    };
    const whole = {
      KeyConditionExpression: 'pk = :partition',
      ExpressionAttributeValues: { ':partition': 'limits' },
    };
    expect(await pagesOf(whole)).toEqual([10, 10, 5]);
    expect(await pagesOf({ ...whole, ScanIndexForward: false })).toEqual([10, 10, 5]);
    expect(await pagesOf({ ...whole, FilterExpression: 'attribute_not_exists(x)' })).toEqual([0, 0, 0]);
    const index = {
      IndexName: 'posts-by-time',
      KeyConditionExpression: 'workspaceList = :partition',
      ExpressionAttributeValues: { ':partition': 'w' },
    };
    expect(await pagesOf(index)).toEqual([10, 10, 5]);
    const keysOnly = {
      IndexName: 'overdue',
      KeyConditionExpression: 'dueShard = :partition',
      ExpressionAttributeValues: { ':partition': 's' },
    };
    expect(await pagesOf(keysOnly)).toEqual([25]);
    // A scan has no order.
    const { memory } = databases;
    const page = await memory.request('Scan', { TableName: table });
    expect(page['Items']).toHaveLength(10);
    expect(page['LastEvaluatedKey']).toBeDefined();
  });

  it.each([0, 100, 101])('a batch reads 1 to 100 items, as %i', async (count) => {
    await compare('BatchGetItem', { Keys: keysUpTo(count) });
  });
  it.each([0, 25, 26])('a batch writes 1 to 25 items, as %i', async (count) => {
    await compare('BatchWriteItem', { parts: keysUpTo(count).map((Key) => ({ DeleteRequest: { Key } })) });
  });
  it.each([0, 100, 101])('a transaction has 1 to 100 parts, as %i', async (count) => {
    await compare('TransactWriteItems', {
      TransactItems: keysUpTo(count).map((Key) => ({ Delete: { Key } })),
    });
    await compare('TransactGetItems', { TransactItems: keysUpTo(count).map((Key) => ({ Get: { Key } })) });
  });

  it('a transaction has at most 4 MB', async () => {
    const puts = keysUpTo(11).map((Item) => ({ Put: { Item: { ...Item, x: text(390 * kilobyte) } } }));
    const { error } = await compare('TransactWriteItems', { TransactItems: puts });
    expect(error).toMatchObject({ name: 'ValidationException' });
  });
});

describe('a transaction with a token', () => {
  const part = (more: number) => ({
    Update: {
      Key: { pk: 'token', sk: '1' },
      UpdateExpression: 'ADD n :more',
      ExpressionAttributeValues: { ':more': more },
    },
  });
  const transaction = (token: string, ...parts: Item[]): [string, Item] => [
    'TransactWriteItems',
    inputFor(tableName, {
      operation: 'TransactWriteItems',
      input: { ClientRequestToken: token, TransactItems: parts },
    }),
  ];
  const reading: [string, Item] = ['GetItem', { TableName: '', Key: { pk: 'token', sk: '1' } }];
  const read = async () => {
    const { output } = await compareOn(databases, reading[0], { ...reading[1], TableName: tableName });
    return output?.['Item'];
  };
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is committed once, is refused with other parts, and may be repeated after a failed condition', async () => {
    await compareOn(databases, ...transaction('token-one', part(1)));
    await compareOn(databases, ...transaction('token-one', part(1)));
    expect(await read()).toMatchObject({ n: 1 });
    const { error } = await compareOn(databases, ...transaction('token-one', part(2)));
    expect(error).toMatchObject({ name: 'IdempotentParameterMismatchException' });
    const exists = (sk: string) => ({
      ConditionCheck: { Key: { pk: 'token', sk }, ConditionExpression: 'attribute_exists(pk)' },
    });
    expect(
      (await compareOn(databases, ...transaction('token-two', exists('2'), part(4)))).error,
    ).toMatchObject({ name: 'TransactionCanceledException' });
    await compareOn(
      databases,
      ...transaction('token-two', exists('2'), { Put: { Item: { pk: 'token', sk: '3' } } }),
    );
    await compareOn(databases, ...transaction('token-two', part(8)));
    expect(await read()).toMatchObject({ n: 9 });
    await compareOn(databases, ...transaction(text(37), part(16)));
    expect(await read()).toMatchObject({ n: 9 });
  });

  it('is forgotten after 10 minutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { memory } = databases;
    await memory.request(...transaction('token-three', part(100)));
    vi.advanceTimersByTime(10 * 60_000 - 1);
    await memory.request(...transaction('token-three', part(100)));
    const item = async () =>
      (await memory.request(reading[0], { ...reading[1], TableName: tableName }))['Item'];
    expect(await item()).toMatchObject({ n: 109 });
    vi.advanceTimersByTime(1);
    await memory.request(...transaction('token-three', part(100)));
    expect(await item()).toMatchObject({ n: 209 });
  });
});

describe('follows AWS where the real engine does not', () => {
  const refusal = (operation: string, input: Item) =>
    expect(
      databases.memory.request(operation, inputFor(tableName, { operation, input })),
    ).rejects.toMatchObject({ name: 'ValidationException' });
  const value = (v: unknown) => ({ ExpressionAttributeValues: { ':v': v } });
  const check = (ConditionExpression: string, values: Item) =>
    refusal('UpdateItem', { Key: { pk: 'aws', sk: '1' }, ConditionExpression, ...values });

  it.each([true, null, ['a'], new Set(['a'])])('by refusing to order by %j', (v) =>
    check('a < :v', value(v)),
  );
  it.each(['a = a', 'a <> a', 'begins_with(a, a)'])('by refusing %s', (condition) => check(condition, {}));
  it('by refusing to add to a nested attribute', () =>
    refusal('UpdateItem', { Key: { pk: 'aws', sk: '1' }, UpdateExpression: 'ADD a.b :v', ...value(1) }));
  it('by refusing to change a key even if the condition does not hold', () =>
    refusal('UpdateItem', {
      Key: { pk: 'aws', sk: '1' },
      UpdateExpression: 'SET sk = :v',
      ConditionExpression: 'attribute_exists(pk)',
      ...value('2'),
    }));
  it.each(['ADD a :v', 'SET a = a + :v'])(
    'by refusing %s in a transaction whose condition does not hold',
    (UpdateExpression) =>
      refusal('TransactWriteItems', {
        TransactItems: [
          {
            Update: {
              Key: { pk: 'aws', sk: '1' },
              UpdateExpression,
              ConditionExpression: 'attribute_exists(pk)',
              ...value('text'),
            },
          },
        ],
      }),
  );
  it('by refusing overlapping paths and reversed bounds in such a transaction', async () => {
    const update = (request: Item) =>
      refusal('TransactWriteItems', {
        TransactItems: [{ Update: { Key: { pk: 'aws', sk: '1' }, ...request } }],
      });
    await update({
      UpdateExpression: 'SET a = :v REMOVE a.b',
      ConditionExpression: 'attribute_exists(pk)',
      ...value(1),
    });
    await update({
      ConditionExpression: 'a BETWEEN :b AND :a',
      ExpressionAttributeValues: { ':a': 'a', ':b': 'b' },
    });
  });
  it('by refusing to set a member of what is no map', async () => {
    const item = { pk: 'aws', sk: 'null', map: null };
    await databases.memory.request('PutItem', { TableName: tableName, Item: item });
    await refusal('UpdateItem', {
      Key: { pk: 'aws', sk: 'null' },
      UpdateExpression: 'SET map.x = :v',
      ...value(1),
    });
  });
  // "If you add an element beyond the end of a list, it is appended": Expressions.UpdateExpressions.html, "Adding elements to a list".
  it('by appending what is set beyond the end of a list', async () => {
    const Key = { pk: 'aws', sk: 'list' };
    await databases.memory.request('PutItem', { TableName: tableName, Item: { ...Key, list: [] } });
    const update = {
      Key,
      UpdateExpression: 'SET #list[7] = :v',
      ExpressionAttributeNames: { '#list': 'list' },
    };
    await databases.memory.request('UpdateItem', { TableName: tableName, ...update, ...value('last') });
    const { Item: item } = await databases.memory.request('GetItem', { TableName: tableName, Key });
    expect(item).toEqual({ ...Key, list: ['last'] });
  });
  it('by refusing a key of another type in a query', () =>
    refusal('Query', { KeyConditionExpression: 'pk = :v', ...value(1) }));
  it('by refusing reversed bounds in a filter', () =>
    refusal('Query', {
      KeyConditionExpression: 'pk = :b',
      FilterExpression: 'a BETWEEN :b AND :a',
      ExpressionAttributeValues: { ':a': 'a', ':b': 'b' },
    }));
  it('by refusing a start key outside of what is asked for', () =>
    refusal('Query', {
      KeyConditionExpression: 'pk = :v',
      ...value('aws'),
      ExclusiveStartKey: { pk: 'other', sk: '1' },
    }));
  it('by refusing a filter by what an index does not have', () =>
    refusal('Query', {
      IndexName: 'overdue',
      KeyConditionExpression: 'dueShard = :v',
      FilterExpression: 'a = :v',
      ...value('s'),
    }));
  it('by refusing to read more than 4 MB in a transaction', async () => {
    const keys = Array.from({ length: 11 }, (_, index) => ({ pk: 'many', sk: `${index}` }));
    for (const each of keys)
      await databases.memory.request('PutItem', {
        TableName: tableName,
        Item: { ...each, x: text(390 * kilobyte) },
      });
    await refusal('TransactGetItems', { TransactItems: keys.map((Key) => ({ Get: { Key } })) });
  });
});

describe('shares no memory with', () => {
  const key = { pk: 'p', sk: '1' };
  const own = createMemoryDatabase();
  const on = (operation: string, input: Item) =>
    own.request(operation, inputFor('own', { operation, input }));
  const stored = { ...key, workspaceList: 'w', scheduledFor: 's', list: [{ a: 1 }], set: new Set(['x']) };
  const change = (item: unknown): void => {
    const { list, set } = item as typeof stored;
    list.push({ a: 2 });
    (list[0] as { a: number }).a = 3;
    set.add('y');
  };
  beforeAll(() => own.request('CreateTable', tableDefinition('own')));

  it('what is written', async () => {
    const given = structuredClone(stored);
    await on('PutItem', { Item: given });
    change(given);
    expect(await on('GetItem', { Key: key })).toEqual({ Item: stored });
    const values = { ':list': [{ a: 1 }], ':set': new Set(['x']) };
    const assigned = { UpdateExpression: 'SET #l = :list, #s = :set', ReturnValues: 'ALL_NEW' };
    const ExpressionAttributeNames = { '#l': 'list', '#s': 'set' };
    const { Attributes } = await on('UpdateItem', {
      Key: key,
      ...assigned,
      ExpressionAttributeNames,
      ExpressionAttributeValues: values,
    });
    change({ list: values[':list'], set: values[':set'] });
    change(Attributes);
    expect(await on('GetItem', { Key: key })).toEqual({ Item: stored });
  });

  it.each<[string, Item, (output: Item) => unknown]>([
    ['GetItem', { Key: key }, ({ Item: item }) => item],
    ['BatchGetItem', { Keys: [key] }, ({ Responses }) => (Responses as { own: unknown[] }).own[0]],
    [
      'TransactGetItems',
      { TransactItems: [{ Get: { Key: key } }] },
      ({ Responses }) => (Responses as Item[])[0]?.['Item'],
    ],
    [
      'Query',
      { KeyConditionExpression: 'pk = :v', ExpressionAttributeValues: { ':v': 'p' } },
      ({ Items }) => (Items as Item[])[0],
    ],
    [
      'Query',
      {
        IndexName: 'posts-by-time',
        KeyConditionExpression: 'workspaceList = :v',
        ExpressionAttributeValues: { ':v': 'w' },
      },
      ({ Items }) => (Items as Item[])[0],
    ],
    ['Scan', {}, ({ Items }) => (Items as Item[])[0]],
  ])('what %s returns', async (operation, input, itemOf) => {
    await on('PutItem', { Item: stored });
    change(itemOf(await on(operation, input)));
    expect(itemOf(await on(operation, input))).toEqual(stored);
  });
});
