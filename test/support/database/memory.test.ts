import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { runSeed } from '../../simulation/simulate.ts';
import { tableDefinition } from '../table-definition.ts';
import type { Database, Item } from './database.ts';
import { openEngine } from './engine.ts';
import { createMemoryDatabase } from './memory.ts';

const real = openEngine(inject('databaseEndpoint'));
const simulated = createMemoryDatabase();
const tableName = `memory-${randomUUID()}`;

beforeAll(async () => {
  for (const database of [real, simulated]) await database.request('CreateTable', tableDefinition(tableName));
});

interface Outcome {
  readonly output?: Item;
  readonly error?: unknown;
}

async function outcomeOf(database: Database, operation: string, input: Item): Promise<Outcome> {
  try {
    return { output: await database.request(operation, input) };
  } catch (error) {
    return { error };
  }
}

/** What the service can see of an outcome. Batches have no order, and error texts are for people. */
function seen({ output, error }: Outcome) {
  if (error !== undefined) {
    const { name, Item: item, CancellationReasons: reasons } = error as Error & Item;
    const codes = (reasons as readonly Item[] | undefined)?.map(({ Code, Item }) => ({ Code, Item }));
    return { name, item, codes };
  }
  const { Item: item, Items: items, Attributes, Count, LastEvaluatedKey, Responses } = output ?? {};
  return { item, items, Attributes, Count, LastEvaluatedKey, responses: sorted(Responses) };
}

function sorted(responses: unknown): unknown {
  if (typeof responses !== 'object' || responses === null || Array.isArray(responses)) return responses;
  const nameOf = ({ pk, sk }: Item) => `${pk} ${sk}`;
  return Object.values(responses as Record<string, Item[]>).map((items) =>
    items.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1)),
  );
}

async function compareOn(operation: string, input: Item): Promise<Outcome> {
  const [expected, outcome] = [
    await outcomeOf(real, operation, input),
    await outcomeOf(simulated, operation, input),
  ];
  expect(seen(outcome), `${operation} ${JSON.stringify(input)}`).toEqual(seen(expected));
  return outcome;
}

describe('the simulated database answers like the real one', () => {
  it.each([2, 3, 17])('all requests of seed %i', async (seed) => {
    let count = 0;
    const engine: Database = {
      async request(operation, input) {
        count += 1;
        const { output, error } = await compareOn(operation, input);
        if (output) return output;
        throw error;
      },
    };
    await runSeed({ engine, tableName: `seed-${seed}` }, seed);
    expect(count).toBeGreaterThan(30);
  });

  const key = { pk: 'a', sk: '1' };
  const names = { '#a': 'a', '#b': 'b', '#n': 'n' };
  const update = (UpdateExpression: string, values: Item, used: readonly (keyof typeof names)[]) => ({
    TableName: tableName,
    Key: key,
    UpdateExpression,
    ReturnValues: 'ALL_NEW',
    ExpressionAttributeNames: Object.fromEntries(used.map((name) => [name, names[name]])),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  });
  const query = { TableName: tableName, ExpressionAttributeNames: { '#pk': 'pk' } };

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
    ['an index key that is no text', 'PutItem', { TableName: tableName, Item: { ...key, dueAt: 5 } }],
    [
      'a put',
      'PutItem',
      { TableName: tableName, Item: { pk: 'a', sk: '2', n: 1, bytes: new Uint8Array([1, 2]), list: [] } },
    ],
    [
      'a put of another partition',
      'PutItem',
      { TableName: tableName, Item: { pk: 'b', sk: '2', workspaceList: 'w', createdKey: '1' } },
    ],
    [
      'and one more',
      'PutItem',
      { TableName: tableName, Item: { pk: 'b', sk: '1', workspaceList: 'w', createdKey: '2' } },
    ],
    [
      'a failed condition',
      'PutItem',
      {
        TableName: tableName,
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
        TableName: tableName,
        Key: { pk: 'a', sk: '3' },
        ConditionExpression: 'n <> :n',
        ExpressionAttributeValues: { ':n': 1 },
      },
    ],
    [
      'types are not compared',
      'DeleteItem',
      {
        TableName: tableName,
        Key: { pk: 'a', sk: '2' },
        ConditionExpression: 'n < :n',
        ExpressionAttributeValues: { ':n': 'x' },
      },
    ],
    ['a read', 'GetItem', { TableName: tableName, Key: { pk: 'a', sk: '2' } }],
    ['a read of nothing', 'GetItem', { TableName: tableName, Key: { pk: 'a', sk: '9' } }],
    [
      'a projection',
      'GetItem',
      {
        TableName: tableName,
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
        TableName: tableName,
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
        TableName: tableName,
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
        TableName: tableName,
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
        TableName: tableName,
        IndexName: 'overdue',
        KeyConditionExpression: 'dueShard = :partition AND dueAt < :sort',
        ExpressionAttributeValues: { ':partition': 's', ':sort': 't' },
      },
    ],
    [
      'a snapshot',
      'TransactGetItems',
      {
        TransactItems: [
          { Get: { TableName: tableName, Key: key } },
          { Get: { TableName: tableName, Key: { pk: 'x', sk: 'y' } } },
        ],
      },
    ],
    [
      'a transaction that fails',
      'TransactWriteItems',
      {
        TransactItems: [
          { Delete: { TableName: tableName, Key: key } },
          {
            ConditionCheck: {
              TableName: tableName,
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
        TransactItems: [
          { Delete: { TableName: tableName, Key: key } },
          { Put: { TableName: tableName, Item: key } },
        ],
      },
    ],
    ['the transaction has written nothing', 'GetItem', { TableName: tableName, Key: key }],
  ])('%s', async (_name, operation, input) => {
    await compareOn(operation, input);
  });
});
