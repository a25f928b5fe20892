import { describe, expect, it } from 'vitest';
import {
  type Part,
  type PartKind,
  type PartRequest,
  shapeFinder,
} from '../../engines/dynamodb/request-parts.ts';
import { checkPart } from '../../engines/dynamodb/request-rules.ts';

const attribute = (AttributeName: string, KeyType: string) => ({ AttributeName, KeyType });
const shapeNamed = shapeFinder([
  {
    name: 'posts',
    definition: {
      KeySchema: [attribute('pk', 'HASH'), attribute('sk', 'RANGE')],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-list',
          KeySchema: [attribute('list', 'HASH'), attribute('at', 'RANGE')],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
        {
          IndexName: 'all-by-list',
          KeySchema: [attribute('list', 'HASH')],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    },
  },
]);
const shape = shapeNamed('posts');

const S = (text: string) => ({ S: text });
const check = (kind: PartKind, request: Omit<PartRequest, 'TableName'>) => {
  const part: Part = { kind, request: { TableName: 'posts', ...request } };
  return () => checkPart(part, shape);
};
const update = (request: Omit<PartRequest, 'TableName'>) =>
  check('Update', { Key: { pk: S('a'), sk: S('b') }, ...request });
const query = (request: Omit<PartRequest, 'TableName'>) => check('Query', request);

const many = (count: number, text: (index: number) => string, separator: string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(separator);

describe('a request is refused with ValidationException', () => {
  it.each<[string, () => void, RegExp]>([
    [
      'if an index partition key has more than 2,048 bytes',
      check('Put', { Item: { list: S('é'.repeat(1_025)) } }),
      /hashkey.*2048 bytes/,
    ],
    [
      'if an index sort key has more than 1,024 bytes',
      check('Put', { Item: { at: S('x'.repeat(1_025)) } }),
      /rangekey.*1024 bytes/,
    ],
    [
      'if an update sets such a key',
      update({
        UpdateExpression: 'SET #at = if_not_exists(#at, :at)',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':at': S('x'.repeat(1_025)) },
      }),
      /rangekey.*1024 bytes/,
    ],
    [
      'if a condition has more than 300 operators',
      update({ ConditionExpression: many(151, (index) => `a${index} = :v`, ' OR ') }),
      /operator count: 301/,
    ],
    [
      'if an update has more than 300 operators',
      update({ UpdateExpression: `SET ${many(301, (index) => `a${index} = b${index} + :v`, ', ')}` }),
      /operator count: 301/,
    ],
    [
      'if IN has more than 100 operands',
      update({ ConditionExpression: `a IN (${many(101, (index) => `:v${index}`, ', ')})` }),
      /number of operands: 101/,
    ],
    ['if a set has an empty text', check('Put', { Item: { tags: { SS: ['a', ''] } } }), /string set/],
    [
      'if a set inside a list inside a map has an empty text',
      check('Put', { Item: { a: { M: { b: { L: [{ SS: [''] }] } } } } }),
      /string set/,
    ],
    [
      'if a value of an expression is a set with an empty value',
      update({ ExpressionAttributeValues: { ':v': { BS: [''] } } }),
      /binary set/,
    ],
    [
      'if an attribute is compared with itself',
      update({ ConditionExpression: 'NOT (b = :v OR #a <> a)', ExpressionAttributeNames: { '#a': 'a' } }),
      /must be distinct.*operator: <>, first operand: \[a\]/,
    ],
    [
      'if a path is compared with itself',
      update({ ConditionExpression: 'a[1].b = a[1].b' }),
      /must be distinct/,
    ],
    ['if BETWEEN repeats its operand', update({ ConditionExpression: 'a BETWEEN :v AND a' }), /BETWEEN/],
    ['if IN repeats its operand', update({ ConditionExpression: 'a IN (:v, a)' }), /operator: IN/],
    ['if a function repeats it', update({ ConditionExpression: 'begins_with(a, a)' }), /begins_with/],
    ['if a size is compared with itself', update({ ConditionExpression: 'size(a) = size(a)' }), /size\(a\)/],
    [
      'if a key in a query is empty',
      query({ KeyConditionExpression: 'pk = :p', ExpressionAttributeValues: { ':p': S('') } }),
      /empty string value. Key: pk/,
    ],
    [
      'if an update changes the key',
      update({ UpdateExpression: 'SET a = :v REMOVE sk' }),
      /Cannot update attribute sk/,
    ],
    [
      'if an update changes an attribute twice',
      update({ UpdateExpression: 'SET a = :v, b = :v ADD a :w' }),
      /overlap.*path one: \[a\], path two: \[a\]/,
    ],
    [
      'if an update changes a part of what it changes',
      update({ UpdateExpression: 'SET a[0].b = :v REMOVE a[0]' }),
      /overlap/,
    ],
    [
      'if a query asks an index for what it does not project',
      query({
        IndexName: 'by-list',
        ProjectionExpression: 'pk, #s',
        ExpressionAttributeNames: { '#s': 'status' },
      }),
      /by-list does not project \[status\]/,
    ],
    [
      'if a filter tests what an index does not project',
      query({
        IndexName: 'by-list',
        FilterExpression: '#at > :v AND other = :w',
        ExpressionAttributeNames: { '#at': 'at' },
      }),
      /does not project \[other\]/,
    ],
    [
      'if a query asks an index of keys for all attributes',
      query({ IndexName: 'by-list', Select: 'ALL_ATTRIBUTES' }),
      /ALL_ATTRIBUTES is not supported/,
    ],
    [
      'if a page begins in another partition',
      query({
        KeyConditionExpression: 'pk = :p',
        ExpressionAttributeValues: { ':p': S('a') },
        ExclusiveStartKey: { pk: S('b'), sk: S('x') },
      }),
      /outside query boundaries/,
    ],
    [
      'if a page begins outside the range of an index',
      query({
        IndexName: 'by-list',
        KeyConditionExpression: '#list = :l AND #at BETWEEN :a AND :b',
        ExpressionAttributeNames: { '#list': 'list', '#at': 'at' },
        ExpressionAttributeValues: { ':l': S('l'), ':a': S('b'), ':b': S('d') },
        ExclusiveStartKey: { pk: S('p'), sk: S('s'), list: S('l'), at: S('e') },
      }),
      /range key predicate/,
    ],
    [
      'if a page begins with another prefix',
      query({
        KeyConditionExpression: 'pk = :p AND begins_with(sk, :s)',
        ExpressionAttributeValues: { ':p': S('a'), ':s': S('TARGET#') },
        ExclusiveStartKey: { pk: S('a'), sk: S('POST#1') },
      }),
      /range key predicate/,
    ],
  ])('%s', (_, checked, message) => {
    expect(checked).toThrow(message);
    expect(checked).toThrow(expect.objectContaining({ code: 'ValidationException' }));
  });
});

describe('a request is accepted', () => {
  it.each<[string, () => void]>([
    [
      'with index keys of the greatest sizes',
      check('Put', { Item: { list: S('x'.repeat(2_048)), at: S('x'.repeat(1_024)) } }),
    ],
    [
      'with 300 operators',
      update({ ConditionExpression: `NOT (${many(150, (index) => `a${index} = :v`, ' OR ')})` }),
    ],
    [
      'with 100 operands of IN',
      update({ ConditionExpression: `a IN (${many(100, (index) => `:v${index}`, ',')})` }),
    ],
    ['with empty texts outside of sets and keys', check('Put', { Item: { a: S(''), tags: { SS: ['a'] } } })],
    ['that compares an attribute with its size', update({ ConditionExpression: 'a = size(a)' })],
    [
      'that changes neighbours',
      update({ UpdateExpression: 'SET a[0].b = :v, a[1].b = :v, ab = :v REMOVE a[0].bc' }),
    ],
    [
      'that reads keys and projected attributes of an index',
      query({
        IndexName: 'by-list',
        ProjectionExpression: 'pk, sk, list',
        FilterExpression: 'begins_with(sk, :s)',
      }),
    ],
    [
      'that reads everything of an index that has it',
      query({ IndexName: 'all-by-list', Select: 'ALL_ATTRIBUTES' }),
    ],
    [
      'that begins a page inside of the range',
      query({
        KeyConditionExpression: 'pk = :p AND sk >= :s',
        ExpressionAttributeValues: { ':p': S('a'), ':s': S('m') },
        ExclusiveStartKey: { pk: S('a'), sk: S('m') },
      }),
    ],
    ['whose expression cannot be read, which the engine refuses', update({ ConditionExpression: 'a = = (' })],
  ])('%s', (_, checked) => {
    expect(checked).not.toThrow();
  });
});
