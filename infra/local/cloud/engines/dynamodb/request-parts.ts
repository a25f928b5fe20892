/** Takes DynamoDB requests apart: the reads and writes of single items that they consist of. Pure. */

import { z } from 'zod';
import type { TableResource } from '../../model.ts';

/** An attribute value as DynamoDB writes it: `{"S": "text"}`. */
export type AttributeValue = Readonly<Record<string, unknown>>;
export type Item = Readonly<Record<string, AttributeValue>>;

export type PartKind = 'Get' | 'Put' | 'Update' | 'Delete' | 'ConditionCheck' | 'Query' | 'Scan';

/** The parameters of one part, named as in the requests for single items. */
export interface PartRequest {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly KeyConditionExpression?: string;
  readonly FilterExpression?: string;
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Item;
  readonly ExclusiveStartKey?: Item;
  readonly Select?: string;
}

export interface Part {
  readonly kind: PartKind;
  readonly request: PartRequest;
}

type Input = Readonly<Record<string, unknown>>;

/** The operations on one item, or on many by one query. */
const single: Readonly<Record<string, PartKind>> = {
  GetItem: 'Get',
  PutItem: 'Put',
  UpdateItem: 'Update',
  DeleteItem: 'Delete',
  Query: 'Query',
  Scan: 'Scan',
};

/**
 * @param input an input of checked shape, as `accessOf` checks it
 * @returns the parts in the order of the request; none for operations on tables and streams
 */
export function partsOf(operation: string, input: Input): readonly Part[] {
  const kind = single[operation];
  if (kind !== undefined) return [{ kind, request: input as unknown as PartRequest }];
  switch (operation) {
    case 'BatchGetItem':
      return entriesOf(input).flatMap(([TableName, { Keys = [] }]) =>
        Keys.map((Key) => ({ kind: 'Get' as const, request: { TableName, Key } })),
      );
    case 'BatchWriteItem':
      return entriesOf(input).flatMap(([TableName, requests]) =>
        [...requests].map(({ PutRequest, DeleteRequest }) =>
          PutRequest
            ? { kind: 'Put' as const, request: { TableName, Item: PutRequest.Item } }
            : { kind: 'Delete' as const, request: { TableName, Key: DeleteRequest?.Key ?? {} } },
        ),
      );
    case 'TransactGetItems':
    case 'TransactWriteItems':
      return (input['TransactItems'] as Record<PartKind, PartRequest>[]).flatMap((entry) =>
        Object.entries(entry).map(([name, request]) => ({ kind: name as PartKind, request })),
      );
    default:
      return [];
  }
}

type BatchEntry = { readonly Keys?: readonly Item[] } & readonly {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
}[];

const entriesOf = (input: Input) => Object.entries(input['RequestItems'] as Record<string, BatchEntry>);

/** A partly processed batch. */
export interface SplitBatch {
  /** Undefined if nothing is left to process. */
  readonly input: Input | undefined;
  /** `UnprocessedItems` or `UnprocessedKeys`. */
  readonly unprocessed: Readonly<Record<string, unknown>>;
}

/**
 * Splits a batch.
 *
 * @param isWithheld returns true if the part with this index, as in {@link partsOf}, is handed back unprocessed
 */
export function splitBatch(input: Input, isWithheld: (index: number) => boolean): SplitBatch {
  let index = 0;
  const side = <Entry>(entries: readonly Entry[]) => {
    const marked = entries.map((entry) => ({ entry, withheld: isWithheld(index++) }));
    const of = (withheld: boolean) =>
      marked.filter((each) => each.withheld === withheld).map(({ entry }) => entry);
    return { kept: of(false), withheld: of(true) };
  };
  const kept: Record<string, unknown> = {};
  const unprocessed: Record<string, unknown> = {};
  for (const [tableName, entry] of entriesOf(input)) {
    const isWrite = Array.isArray(entry);
    const sides = side<unknown>(isWrite ? entry : (entry.Keys ?? []));
    const shape = (items: readonly unknown[]) => (isWrite ? items : { ...entry, Keys: items });
    if (sides.kept.length > 0) kept[tableName] = shape(sides.kept);
    if (sides.withheld.length > 0) unprocessed[tableName] = shape(sides.withheld);
  }
  const isEmpty = Object.keys(kept).length === 0;
  return { input: isEmpty ? undefined : { ...input, RequestItems: kept }, unprocessed };
}

/** The keys of a table and its indexes. */
export interface TableShape {
  readonly keyNames: readonly string[];
  readonly indexes: ReadonlyMap<string, IndexShape>;
  /** `S`, `N` or `B`, by the name of an attribute in a key. */
  readonly types: ReadonlyMap<string, string>;
}

export interface IndexShape {
  readonly keyNames: readonly string[];
  /** Undefined if the index has all attributes. */
  readonly projected: ReadonlySet<string> | undefined;
}

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.string() }));
const definition = z.object({
  AttributeDefinitions: z
    .array(z.object({ AttributeName: z.string(), AttributeType: z.string() }))
    .default([]),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z
    .array(
      z.object({
        IndexName: z.string(),
        KeySchema: keySchema,
        Projection: z.object({
          ProjectionType: z.string().default('ALL'),
          NonKeyAttributes: z.array(z.string()).default([]),
        }),
      }),
    )
    .default([]),
});

/** Returns a function that finds a table's shape by its name or ARN; `undefined` for an unknown table. */
export function shapeFinder(
  tables: readonly Pick<TableResource, 'name' | 'definition'>[],
): (tableName: string) => TableShape | undefined {
  const shapes = new Map(tables.map((table) => [table.name, shapeOf(table)]));
  return (tableName) => shapes.get(nameOf(tableName));
}

/**
 * Returns a table's name.
 *
 * @param tableName a name or an ARN
 */
export const nameOf = (tableName: string): string => tableName.split('/').at(-1) ?? tableName;

/** Returns a table's shape, from its definition. */
export function shapeOf(table: Pick<TableResource, 'definition'>): TableShape {
  const { KeySchema, GlobalSecondaryIndexes, AttributeDefinitions } = definition.parse(table.definition);
  const namesIn = (schema: z.infer<typeof keySchema>) =>
    // The partition key first.
    [...schema]
      .sort((one, other) => one.KeyType.localeCompare(other.KeyType))
      .map(({ AttributeName }) => AttributeName);
  const keyNames = namesIn(KeySchema);
  const indexes = GlobalSecondaryIndexes.map(({ IndexName, KeySchema: schema, Projection }) => {
    const names = namesIn(schema);
    const projected =
      Projection.ProjectionType === 'ALL'
        ? undefined
        : new Set([...keyNames, ...names, ...Projection.NonKeyAttributes]);
    return [IndexName, { keyNames: names, projected }] as const;
  });
  const types = AttributeDefinitions.map(
    ({ AttributeName, AttributeType }) => [AttributeName, AttributeType] as const,
  );
  return { keyNames, indexes: new Map(indexes), types: new Map(types) };
}

/** Names the item that a part reads or writes, the same for equal items; `undefined` if it names none. */
export function itemNameOf(
  { request }: Part,
  shapeNamed: (tableName: string) => TableShape | undefined,
): string | undefined {
  const shape = shapeNamed(request.TableName);
  const source = request.Key ?? request.Item;
  if (!shape || !source) return undefined;
  return JSON.stringify([nameOf(request.TableName), ...shape.keyNames.map((name) => source[name])]);
}
