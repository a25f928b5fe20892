import { expect, it } from 'vitest';
import { shownByIndexes } from '../../../engines/dynamodb/index-lag.ts';

const keySchema = (partition: string, sort: string) => [
  { AttributeName: partition, KeyType: 'HASH' },
  { AttributeName: sort, KeyType: 'RANGE' },
];
const index = (name: string, projection: object) => ({
  IndexName: name,
  KeySchema: keySchema(`${name}Key`, 'at'),
  Projection: projection,
});

const shown = shownByIndexes({
  definition: {
    AttributeDefinitions: ['pk', 'sk', 'at', 'wholeKey', 'keysKey', 'someKey'].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S',
    })),
    KeySchema: keySchema('pk', 'sk'),
    GlobalSecondaryIndexes: [
      index('whole', { ProjectionType: 'ALL' }),
      index('keys', { ProjectionType: 'KEYS_ONLY' }),
      index('some', { ProjectionType: 'INCLUDE', NonKeyAttributes: ['title'] }),
    ],
  },
});

const item = (more: Record<string, string>) =>
  Object.fromEntries(
    Object.entries({ pk: 'p', sk: 's', at: '1', title: 'T', text: 'long', ...more }).map(([name, S]) => [
      name,
      { S },
    ]),
  );

it.each([
  ['has only parts of keys', {}, undefined],
  ['has an empty key', { keysKey: '' }, undefined],
  ['has a key that is too long', { keysKey: 'x'.repeat(2_049) }, undefined],
  [
    'has a valid key and an empty one',
    { wholeKey: 'w', keysKey: '' },
    ['pk', 'sk', 'at', 'title', 'text', 'wholeKey'],
  ],
  ['is in an index with all attributes', { wholeKey: 'w' }, ['pk', 'sk', 'at', 'title', 'text', 'wholeKey']],
  ['is in an index with keys only', { keysKey: 'k' }, ['pk', 'sk', 'at', 'keysKey']],
  ['is in an index with some attributes', { someKey: 'm' }, ['pk', 'sk', 'at', 'title', 'someKey']],
  ['is in two of them', { keysKey: 'k', someKey: 'm' }, ['pk', 'sk', 'at', 'title', 'keysKey', 'someKey']],
  [
    'is also in one with all',
    { keysKey: 'k', wholeKey: 'w' },
    ['pk', 'sk', 'at', 'title', 'text', 'keysKey', 'wholeKey'],
  ],
])('an item that %s is shown as its indexes project it', (_title, more, names) => {
  const result = shown(item(more));
  expect(result && Object.keys(result).sort()).toEqual(names?.sort());
});

it('an item with a key of another type is not shown in that index', () => {
  expect(shown({ ...item({}), keysKey: { N: '1' } })).toBeUndefined();
});
