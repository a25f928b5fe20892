import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { type Condition, Placeholders } from './condition.ts';
import type { Item } from './items.ts';
import type { Key } from './keys.ts';
import { type IndexShape, tableShape } from './schema.ts';
import type { Table } from './table.ts';
import { untilServed } from './until-served.ts';

export interface Query {
  /** Value of the partition key. */
  readonly partition: string;
  /** Bounds of the sort key, as text; default: the whole partition. */
  readonly sort?: SortRange | undefined;
  /** The index to read. Without it the table is read, strongly consistent unless `isEventual` is given. */
  readonly index?: IndexShape;
  /** Costs half, and the result may be about a second old. For the table only. */
  readonly isEventual?: boolean;
  readonly descending?: boolean;
  /** The number of items that DynamoDB reads. Items that the filter leaves out count too. */
  readonly limit?: number | undefined;
  /** The whole key of the last item of the previous page. */
  readonly after?: Item | Key | undefined;
  readonly filter?: Condition | undefined;
  /** The attributes to read; default: all. */
  readonly attributes?: readonly string[];
}

type SortRange =
  | { readonly beginsWith: string }
  | { readonly between: readonly [first: string, last: string] }
  | { readonly atLeast: string }
  | { readonly atMost: string }
  | { readonly before: string };

export interface Page {
  readonly items: Item[];
  /** The whole key to continue after; `undefined` at the end. */
  readonly lastKey: Item | undefined;
}

/** Reads one page with one request: up to 1 MB, or `limit` items. */
export async function queryPage(table: Table, query: Query): Promise<Page> {
  const command = new QueryCommand(queryInput(table, query));
  const { Items = [], LastEvaluatedKey } = await untilServed(table, () => table.client.send(command));
  return { items: Items, lastKey: LastEvaluatedKey };
}

/** Reads page by page, for as long as the caller iterates. */
export async function* queryPages(table: Table, query: Query): AsyncGenerator<Item[]> {
  let after = query.after;
  do {
    const page = await queryPage(table, { ...query, after });
    yield page.items;
    after = page.lastKey;
  } while (after);
}

/**
 * Reads everything that a query finds. Use it only for collections of bounded size, such as a post and its targets or a
 * workspace's keys.
 */
export async function queryAll(table: Table, query: Query): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of queryPages(table, query)) items.push(...page);
  return items;
}

/** Counts the items that a query finds, without returning them. */
export async function countAll(table: Table, query: Query): Promise<number> {
  let count = 0;
  let after = query.after;
  do {
    const command = new QueryCommand({ ...queryInput(table, { ...query, after }), Select: 'COUNT' });
    const page = await untilServed(table, () => table.client.send(command));
    count += page.Count ?? 0;
    after = page.LastEvaluatedKey;
  } while (after);
  return count;
}

function queryInput(table: Table, query: Query) {
  const { partition, sort, index, isEventual = false, descending, limit, after, filter, attributes } = query;
  const { partitionKey, sortKey } = index ?? tableShape;
  const placeholders = new Placeholders();
  const keyConditions = [
    `${placeholders.name(partitionKey)} = ${placeholders.value(partition, 'partition')}`,
    ...(sort ? [sortCondition(sort, placeholders.name(sortKey), placeholders)] : []),
  ];
  return {
    TableName: table.name,
    ...(index ? { IndexName: index.indexName } : { ConsistentRead: !isEventual }),
    KeyConditionExpression: keyConditions.join(' AND '),
    ...(filter && { FilterExpression: placeholders.condition(filter) }),
    ...(attributes && {
      ProjectionExpression: attributes.map((name) => placeholders.name(name)).join(', '),
    }),
    ...(descending && { ScanIndexForward: false }),
    ...placeholders.attributes,
    Limit: limit,
    ExclusiveStartKey: after,
  };
}

function sortCondition(sort: SortRange, name: string, placeholders: Placeholders): string {
  const place = (value: string) => placeholders.value(value, 'sort');
  if ('beginsWith' in sort) return `begins_with(${name}, ${place(sort.beginsWith)})`;
  if ('between' in sort) return `${name} BETWEEN ${place(sort.between[0])} AND ${place(sort.between[1])}`;
  if ('atLeast' in sort) return `${name} >= ${place(sort.atLeast)}`;
  return 'atMost' in sort ? `${name} <= ${place(sort.atMost)}` : `${name} < ${place(sort.before)}`;
}
