import fc from 'fast-check';
import { indexes, tableShape } from '../../../lib/table/schema.ts';
import type { Item } from './database.ts';

/** One request of a random run. Its input lacks the name of the table. */
export interface RandomRequest {
  readonly operation: string;
  readonly input: Item;
  /** True if the run reads on from the last key of each page. */
  readonly readsAllPages?: boolean;
}

/** Requests for few keys and attributes, so that they often meet. Some are invalid. @param runName unique to a run, short */
export const randomRequests = (runName: string): fc.Arbitrary<readonly RandomRequest[]> =>
  fc.array(fc.oneof(...requests(runName)), { minLength: 12, maxLength: 24, size: 'max' });

const partitions = ['p', 'q'];
const sorts = ['1', '2', '3', 'ä', '😀', '\uffee'];

const texts = fc.constantFrom('', 'x', 'xy', 'é', '😀', '\uffee', 'p', '1');
const numbers = fc.constantFrom(0, 1, 2, -1, 3, 0.1, 0.25, 1000, 123456789);
// Without null, which may not stand where an update sets a member: the engine takes it for a map there, and DynamoDB refuses that
// (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html, "document path").
const scalars = fc.oneof(texts, numbers, fc.boolean());
const sets = fc.oneof(
  fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 3 }).map((each) => new Set(each)),
  fc.uniqueArray(fc.constantFrom(1, 2, 3), { minLength: 1, maxLength: 3 }).map((each) => new Set(each)),
);
const bytes = fc.constantFrom(new Uint8Array([1]), new Uint8Array([1, 2]), new Uint8Array([9]));
const values: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: scalars },
  { weight: 1, arbitrary: bytes },
  { weight: 2, arbitrary: sets },
  { weight: 2, arbitrary: fc.array(scalars, { maxLength: 3 }) },
  {
    weight: 2,
    arbitrary: fc.record({ x: scalars, y: fc.record({ z: scalars }), tags: sets }, { requiredKeys: [] }),
  },
);

/** @param usual of this frequency: the others are wrong */
const mostly = <Value>(usual: fc.Arbitrary<Value>, ...others: readonly unknown[]): fc.Arbitrary<Value> =>
  fc.oneof(
    { weight: 40, arbitrary: usual },
    { weight: 1, arbitrary: fc.constantFrom(...others) as fc.Arbitrary<Value> },
  );

const pk = mostly(fc.constantFrom(...partitions), '', 5, undefined);
const sk = mostly(fc.constantFrom(...sorts), '', true);
const keys = fc.oneof(
  { weight: 60, arbitrary: fc.record({ pk, sk }) },
  { weight: 1, arbitrary: fc.record({ pk, sk, more: texts }) },
);

const indexKeys = [
  ...new Set(Object.values(indexes).flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey])),
];
const indexValues = mostly(fc.constantFrom('i', 'j', 'k'), '', 7);
const attributes = {
  a: fc.oneof({ weight: 6, arbitrary: values }, { weight: 1, arbitrary: fc.constant(null) }),
  b: values,
  n: numbers,
  tags: sets,
  list: fc.array(scalars, { maxLength: 3 }),
};
const items = fc
  .tuple(
    fc.record({ pk, sk }),
    fc.record(
      { ...attributes, map: values, ...Object.fromEntries(indexKeys.map((name) => [name, indexValues])) },
      { requiredKeys: [] },
    ),
  )
  .map(([key, others]) => ({ ...others, ...key }));

const paths = fc.constantFrom(
  'a',
  'b',
  'n',
  'tags',
  'list',
  'list[0]',
  'list[1]',
  'map',
  'map.x',
  'map.y.z',
  'no',
);
const keyPaths = fc.constantFrom('pk', 'sk');

/** An expression as a text with the values that it needs, in the order of its question marks. */
interface Draft {
  readonly text: string;
  readonly values: readonly unknown[];
}

const draft = (text: string, ...each: readonly unknown[]): Draft => ({ text, values: each });
const join = (drafts: readonly Draft[], separator: string): Draft => ({
  text: drafts.map(({ text }) => text).join(separator),
  values: drafts.flatMap((each) => each.values),
});

const comparators = fc.constantFrom('=', '<>', '<', '<=', '>', '>=');

/** @param path the attributes that it may test */
const tests = (path: fc.Arbitrary<string>): fc.Arbitrary<Draft> =>
  fc.oneof(
    fc.tuple(path, comparators, values).map(([name, sign, value]) => draft(`${name} ${sign} ?`, value)),
    fc.tuple(path, comparators, path).map(([name, sign, other]) => draft(`${name} ${sign} ${other}`)),
    fc
      .tuple(path, comparators, fc.integer({ min: 0, max: 4 }))
      .map(([name, sign, size]) => draft(`size(${name}) ${sign} ?`, size)),
    fc
      .tuple(path, fc.oneof(fc.tuple(texts, texts), fc.tuple(numbers, numbers)))
      .map(([name, [low, high]]) => draft(`${name} BETWEEN ? AND ?`, low, high)),
    fc
      .tuple(path, fc.array(values, { minLength: 1, maxLength: 3 }))
      .map(([name, each]) => draft(`${name} IN (${each.map(() => '?').join(', ')})`, ...each)),
    path.map((name) => draft(`attribute_exists(${name})`)),
    path.map((name) => draft(`attribute_not_exists(${name})`)),
    fc
      .tuple(path, fc.constantFrom('S', 'N', 'BOOL', 'NULL', 'L', 'M', 'SS', 'NS', 'B'))
      .map(([name, type]) => draft(`attribute_type(${name}, ?)`, type)),
    fc.tuple(path, mostly(texts, 1)).map(([name, text]) => draft(`begins_with(${name}, ?)`, text)),
    fc.tuple(path, scalars).map(([name, value]) => draft(`contains(${name}, ?)`, value)),
  );

const conditionsOn = (path: fc.Arbitrary<string>): fc.Arbitrary<Draft> => {
  const { condition } = fc.letrec<{ condition: Draft }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      { weight: 4, arbitrary: tests(path) },
      { weight: 1, arbitrary: tie('condition').map((part) => ({ ...part, text: `NOT ${part.text}` })) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom(' AND ', ' OR '), fc.array(tie('condition'), { minLength: 2, maxLength: 3 }))
          .map(([separator, parts]) => join(parts, separator)),
      },
      { weight: 1, arbitrary: tie('condition').map((part) => ({ ...part, text: `(${part.text})` })) },
    ),
  }));
  return condition;
};

const conditions = conditionsOn(
  fc.oneof({ weight: 8, arbitrary: paths }, { weight: 1, arbitrary: keyPaths }),
);
const filters = conditionsOn(paths);

const assigned: fc.Arbitrary<Draft> = fc.oneof(
  values.map((value) => draft('?', value)),
  paths.map((path) => draft(path)),
  fc
    .tuple(paths, fc.constantFrom('+', '-'), mostly(numbers, 'x'))
    .map(([path, sign, number]) => draft(`${path} ${sign} ?`, number)),
  fc.tuple(paths, values).map(([path, value]) => draft(`if_not_exists(${path}, ?)`, value)),
  fc
    .tuple(paths, fc.array(scalars, { maxLength: 2 }))
    .map(([path, list]) => draft(`list_append(${path}, ?)`, list)),
);
const topPaths = fc.constantFrom('a', 'b', 'n', 'tags', 'no');
const actions: fc.Arbitrary<readonly [clause: string, Draft]> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(mostly(paths, 'sk'), assigned)
      .map(([path, value]) => ['SET', { ...value, text: `${path} = ${value.text}` }] as const),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...indexKeys), indexValues)
      .map(([name, value]) => ['SET', draft(`${name} = ?`, value)] as const),
  },
  { weight: 2, arbitrary: paths.map((path) => ['REMOVE', draft(path)] as const) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(topPaths, mostly(fc.oneof(numbers, sets), 'x'))
      .map(([path, value]) => ['ADD', draft(`${path} ?`, value)] as const),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(topPaths, mostly(sets, 1))
      .map(([path, value]) => ['DELETE', draft(`${path} ?`, value)] as const),
  },
);
const updates: fc.Arbitrary<Draft> = fc.array(actions, { minLength: 1, maxLength: 3 }).map((each) => {
  const clauses = Object.groupBy(each, ([clause]) => clause);
  const drafts = Object.entries(clauses).map(([clause, parts = []]) => {
    const joined = join(
      parts.map(([, part]) => part),
      ', ',
    );
    return { ...joined, text: `${clause} ${joined.text}` };
  });
  return join(drafts, ' ');
});

type Drafts = Readonly<Record<string, Draft | undefined>>;

const operators =
  /^(AND|OR|NOT|BETWEEN|IN|SET|REMOVE|ADD|DELETE|size|attribute_\w+|begins_with|contains|if_not_exists|list_append)$/;

/** The parameters of a request for these expressions, with placeholders. */
function expressions(drafts: Drafts): Item {
  const names: Record<string, string> = {};
  const placed: Item = {};
  const texts = Object.entries(drafts).flatMap(([parameter, each]) => {
    if (!each) return [];
    const left = [...each.values];
    const text = each.text
      .replace(/[A-Za-z_]\w*/g, (name) => {
        if (operators.test(name)) return name;
        names[`#${name}`] = name;
        return `#${name}`;
      })
      .replace(/\?/g, () => {
        const placeholder = `:v${Object.keys(placed).length}`;
        placed[placeholder] = left.shift();
        return placeholder;
      });
    return [[parameter, text] as const];
  });
  return {
    ...Object.fromEntries(texts),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(placed).length > 0 && { ExpressionAttributeValues: placed }),
  };
}

const maybe = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const onFailure = maybe(fc.constant('ALL_OLD'));
const old = mostly(fc.constantFrom('NONE', 'ALL_OLD'), 'ALL_NEW');

const put = fc
  .tuple(items, maybe(conditions), onFailure)
  .map(([Item, ConditionExpression, ReturnValuesOnConditionCheckFailure]) => ({
    Item,
    ...expressions({ ConditionExpression }),
    ReturnValuesOnConditionCheckFailure,
  }));
const update = fc
  .tuple(keys, updates, maybe(conditions), onFailure)
  .map(([Key, UpdateExpression, ConditionExpression, ReturnValuesOnConditionCheckFailure]) => ({
    Key,
    ...expressions({ UpdateExpression, ConditionExpression }),
    ReturnValuesOnConditionCheckFailure,
  }));
const remove = fc
  .tuple(keys, maybe(conditions), onFailure)
  .map(([Key, ConditionExpression, ReturnValuesOnConditionCheckFailure]) => ({
    Key,
    ...expressions({ ConditionExpression }),
    ReturnValuesOnConditionCheckFailure,
  }));
const check = fc
  .tuple(keys, conditions, onFailure)
  .map(([Key, ConditionExpression, ReturnValuesOnConditionCheckFailure]) => ({
    Key,
    ...expressions({ ConditionExpression }),
    ReturnValuesOnConditionCheckFailure,
  }));

const projections = maybe(
  fc
    .uniqueArray(fc.constantFrom('pk', 'a', 'n', 'list'), { minLength: 1, maxLength: 3 })
    .map((names) => draft(names.join(', '))),
);

const views = [
  { indexName: undefined, ...tableShape, projection: 'ALL' },
  ...Object.values(indexes),
] as const;

const queries = fc.constantFrom(...views).chain(({ indexName, partitionKey, sortKey, projection }) => {
  const sortValues = indexName === undefined ? fc.constantFrom(...sorts) : fc.constantFrom('i', 'j', 'k');
  const sortTest = fc.oneof(
    fc
      .tuple(fc.constantFrom('=', '<', '<=', '>', '>='), sortValues)
      .map(([sign, value]) => draft(`${sortKey} ${sign} ?`, value)),
    fc.tuple(sortValues, sortValues).map(([low, high]) => draft(`${sortKey} BETWEEN ? AND ?`, low, high)),
    sortValues.map((value) => draft(`begins_with(${sortKey}, ?)`, value)),
  );
  const isWhole = projection === 'ALL';
  return fc
    .record({
      partition: indexName === undefined ? fc.constantFrom(...partitions) : fc.constantFrom('i', 'j', 'k'),
      sort: maybe(sortTest),
      filter: isWhole ? maybe(filters) : fc.constant(undefined),
      projection: isWhole ? projections : fc.constant(undefined),
      limit: maybe(mostly(fc.integer({ min: 1, max: 4 }), 0)),
      isForward: fc.boolean(),
      isConsistent: indexName === undefined ? fc.boolean() : mostly(fc.constant(false), true),
    })
    .map(({ partition, sort, filter, projection: asked, limit, isForward, isConsistent }) => ({
      ...(indexName !== undefined && { IndexName: indexName }),
      ...expressions({
        KeyConditionExpression: join(
          [draft(`${partitionKey} = ?`, partition), ...(sort ? [sort] : [])],
          ' AND ',
        ),
        FilterExpression: filter,
        ProjectionExpression: asked,
      }),
      ...(limit !== undefined && { Limit: limit }),
      ScanIndexForward: isForward,
      ConsistentRead: isConsistent,
    }));
});

function requests(runName: string): fc.Arbitrary<RandomRequest>[] {
  const of = (operation: string, input: fc.Arbitrary<Item>): fc.Arbitrary<RandomRequest> =>
    input.map((each) => ({ operation, input: each }));
  const withReturn = (input: fc.Arbitrary<Item>, returned: fc.Arbitrary<unknown>) =>
    fc.tuple(input, maybe(returned)).map(([each, ReturnValues]) => ({ ...each, ReturnValues }));
  const part = fc.oneof(
    put.map((Put) => ({ Put })),
    update.map((Update) => ({ Update })),
    remove.map((Delete) => ({ Delete })),
    check.map((ConditionCheck) => ({ ConditionCheck })),
  );
  const some = <Value>(each: fc.Arbitrary<Value>) => fc.array(each, { minLength: 1, maxLength: 4 });
  const transaction = fc
    .tuple(some(part), maybe(fc.constantFrom(`${runName}-1`, `${runName}-2`)))
    .map(([TransactItems, ClientRequestToken]) => ({ TransactItems, ClientRequestToken }));
  return [
    of('PutItem', withReturn(put, old)),
    of('PutItem', withReturn(put, old)),
    of('UpdateItem', withReturn(update, fc.constantFrom('NONE', 'ALL_NEW'))),
    of('UpdateItem', withReturn(update, fc.constantFrom('NONE', 'ALL_NEW'))),
    of('DeleteItem', withReturn(remove, old)),
    of(
      'GetItem',
      fc
        .tuple(keys, projections)
        .map(([Key, ProjectionExpression]) => ({ Key, ...expressions({ ProjectionExpression }) })),
    ),
    queries.map((input) => ({ operation: 'Query', input, readsAllPages: true })),
    queries.map((input) => ({ operation: 'Query', input, readsAllPages: true })),
    of(
      'BatchGetItem',
      some(keys).map((Keys) => ({ Keys })),
    ),
    of(
      'BatchWriteItem',
      some(
        fc.oneof(
          items.map((Item) => ({ PutRequest: { Item } })),
          keys.map((Key) => ({ DeleteRequest: { Key } })),
        ),
      ).map((parts) => ({ parts })),
    ),
    of(
      'TransactGetItems',
      some(keys.map((Key) => ({ Get: { Key } }))).map((TransactItems) => ({ TransactItems })),
    ),
    of('TransactWriteItems', transaction),
    of('TransactWriteItems', transaction),
  ];
}

/** The input for a table. */
export function inputFor(tableName: string, { operation, input }: RandomRequest): Item {
  switch (operation) {
    case 'BatchGetItem':
      return { RequestItems: { [tableName]: input } };
    case 'BatchWriteItem':
      return { RequestItems: { [tableName]: input['parts'] } };
    case 'TransactGetItems':
    case 'TransactWriteItems': {
      const parts = (input['TransactItems'] as Record<string, Item>[]).map((part) =>
        Object.fromEntries(
          Object.entries(part).map(([kind, each]) => [kind, { TableName: tableName, ...each }]),
        ),
      );
      return { ...input, TransactItems: parts };
    }
    default:
      return { TableName: tableName, ...input };
  }
}
