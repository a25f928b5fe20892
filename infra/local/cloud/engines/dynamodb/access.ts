/**
 * The rights that a DynamoDB request needs. Each item of a transaction needs its own right; an index is a resource of
 * its own, apart from its table. Pure.
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
 */

import { z } from 'zod';
import type { AccessRequest } from '../../identity/policy-decision.ts';
import type { TableResource } from '../../model.ts';

export interface TablePlace {
  readonly region: string;
  readonly accountId: string;
  readonly tables: readonly TableResource[];
}

type Item = Readonly<Record<string, unknown>>;

/** An item. It is not a zod record, whose members zod would check one by one: the engine does that. */
const item = z.custom<Item>((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
const single = z.looseObject({
  TableName: z.string(),
  IndexName: z.string().optional(),
  Key: item.optional(),
  Item: item.optional(),
  KeyConditionExpression: z.string().optional(),
  ExpressionAttributeNames: z.record(z.string(), z.string()).optional(),
  ExpressionAttributeValues: item.optional(),
});
type Single = z.infer<typeof single>;

const batchRead = z.object({
  RequestItems: z.record(z.string(), z.object({ Keys: z.array(item).default([]) })),
});
const batchWrite = z.object({
  RequestItems: z.record(
    z.string(),
    z.array(
      z.object({
        PutRequest: z.object({ Item: item }).optional(),
        DeleteRequest: z.object({ Key: item }).optional(),
      }),
    ),
  ),
});
const transaction = z.object({ TransactItems: z.array(z.record(z.string(), single)) });
const stream = z.object({ StreamArn: z.string() });

/** The IAM action for each kind of item in a transaction. */
const transactionActions: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
};

export interface DynamodbAccess {
  readonly needed: readonly AccessRequest[];
  /** The tables that the request may change. */
  readonly writes: readonly string[];
}

const writingActions = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);

/**
 * @param operation such as `TransactWriteItems`.
 * @returns undefined for an operation that is not supported.
 * @throws ZodError for an invalid input.
 */
export function accessOf(operation: string, input: unknown, place: TablePlace): DynamodbAccess | undefined {
  const onTable = (action: string, tableName: string): AccessRequest => ({
    action: `dynamodb:${action}`,
    resource: tableArn(tableName, place),
  });
  switch (operation) {
    case 'GetItem':
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem': {
      const request = single.parse(input);
      const writes = writingActions.has(operation) ? [request.TableName] : [];
      return { needed: [singleAccess(operation, request, place)], writes };
    }
    case 'Query':
    case 'Scan':
      return { needed: [singleAccess(operation, single.parse(input), place)], writes: [] };
    case 'BatchGetItem': {
      const tables = Object.entries(batchRead.parse(input).RequestItems);
      return {
        needed: tables.map(([name, { Keys }]) => batchAccess(operation, name, Keys, place)),
        writes: [],
      };
    }
    case 'BatchWriteItem': {
      const tables = Object.entries(batchWrite.parse(input).RequestItems);
      return {
        needed: tables.map(([name, requests]) => {
          const items = requests.map(
            ({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key ?? {},
          );
          return batchAccess(operation, name, items, place);
        }),
        writes: tables.map(([name]) => name),
      };
    }
    case 'TransactGetItems':
    case 'TransactWriteItems': {
      const parts = transaction.parse(input).TransactItems.flatMap((entry) => Object.entries(entry));
      const requests = parts.map(([kind, request]) => [transactionActions[kind] ?? kind, request] as const);
      return {
        needed: requests.map(([action, request]) => singleAccess(action, request, place)),
        writes: requests
          .filter(([action]) => writingActions.has(action))
          .map(([, request]) => request.TableName),
      };
    }
    case 'DescribeTable':
    case 'DescribeTimeToLive':
    case 'UpdateTable':
    case 'CreateTable':
    case 'DeleteTable':
    case 'UpdateTimeToLive':
      return { needed: [onTable(operation, single.parse(input).TableName)], writes: [] };
    case 'DescribeStream':
    case 'GetShardIterator':
      return {
        needed: [{ action: `dynamodb:${operation}`, resource: stream.parse(input).StreamArn }],
        writes: [],
      };
    case 'GetRecords':
      // A shard iterator does not name its stream, so the caller needs the right on every stream.
      return {
        needed: place.tables.map(({ streamArn }) => ({ action: 'dynamodb:GetRecords', resource: streamArn })),
        writes: [],
      };
    case 'ListTables':
    case 'ListStreams':
      return { needed: [{ action: `dynamodb:${operation}`, resource: '*' }], writes: [] };
    default:
      return undefined;
  }
}

function singleAccess(action: string, request: Single, place: TablePlace): AccessRequest {
  const arn = tableArn(request.TableName, place);
  return {
    action: `dynamodb:${action}`,
    resource: request.IndexName === undefined ? arn : `${arn}/index/${request.IndexName}`,
    context: { 'dynamodb:LeadingKeys': leadingKeys(request, arn, place) },
  };
}

/** Returns the rights of a batch: one per table, with the partition keys of all its items there as context. */
function batchAccess(
  action: string,
  tableName: string,
  items: readonly Item[],
  place: TablePlace,
): AccessRequest {
  const arn = tableArn(tableName, place);
  const table = place.tables.find((candidate) => candidate.arn === arn);
  const keyName = table && partitionKeyName(table, undefined);
  const keys = keyName === undefined ? [] : items.flatMap((each) => keyText(each[keyName]) ?? []);
  return {
    action: `dynamodb:${action}`,
    resource: arn,
    context: { 'dynamodb:LeadingKeys': keys.length > 0 ? keys : undefined },
  };
}

function tableArn(nameOrArn: string, { region, accountId }: TablePlace): string {
  return nameOrArn.startsWith('arn:')
    ? nameOrArn
    : `arn:aws:dynamodb:${region}:${accountId}:table/${nameOrArn}`;
}

/** Returns the partition key's value in a request; undefined if it has none, as in a scan. */
function leadingKeys(request: Single, arn: string, { tables }: TablePlace): string[] | undefined {
  const table = tables.find((candidate) => candidate.arn === arn);
  const keyName = table && partitionKeyName(table, request.IndexName);
  if (keyName === undefined) return undefined;
  const value = (request.Key ?? request.Item)?.[keyName] ?? queriedValue(request, keyName);
  const key = value === undefined ? undefined : keyText(value);
  return key === undefined ? undefined : [key];
}

const keyed = z.object({ KeySchema: z.array(z.object({ AttributeName: z.string(), KeyType: z.string() })) });
const definition = keyed.extend({
  GlobalSecondaryIndexes: z.array(keyed.extend({ IndexName: z.string() })).default([]),
});

const partitionKeys = new WeakMap<TableResource, ReadonlyMap<string | undefined, string>>();

function partitionKeyName(table: TableResource, indexName: string | undefined): string | undefined {
  const known = partitionKeys.get(table) ?? readPartitionKeys(table);
  partitionKeys.set(table, known);
  return known.get(indexName);
}

function readPartitionKeys(table: TableResource): ReadonlyMap<string | undefined, string> {
  const { KeySchema, GlobalSecondaryIndexes } = definition.parse(table.definition);
  const hashOf = (schema: z.infer<typeof keyed>['KeySchema']) =>
    schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
  return new Map([
    [undefined, hashOf(KeySchema)] as const,
    ...GlobalSecondaryIndexes.map((entry) => [entry.IndexName, hashOf(entry.KeySchema)] as const),
  ]);
}

/** Returns the value that a key condition compares the partition key with: `pk = :pk`, `#pk = :pk`. */
function queriedValue(request: Single, keyName: string): unknown {
  for (const [, name = '', value = ''] of (request.KeyConditionExpression ?? '').matchAll(
    /([#\w]+)\s*=\s*(:\w+)/g,
  )) {
    if ((request.ExpressionAttributeNames?.[name] ?? name) === keyName) {
      return request.ExpressionAttributeValues?.[value];
    }
  }
  return undefined;
}

function keyText(value: unknown): string | undefined {
  const [text] = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return typeof text === 'string' ? text : undefined;
}
