import { isDeepStrictEqual } from 'node:util';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { problemOfIndexKey } from '@herald/local-cloud/engines/dynamodb/index-key-rules.ts';
import type { PartRequest } from '@herald/local-cloud/engines/dynamodb/request-parts.ts';
import { checkPart } from '@herald/local-cloud/engines/dynamodb/request-rules.ts';
import type { Database, Item } from './database.ts';
import { AwsError, asThrownBySdk, cancelled, conditionFailed, InvalidForItem, refuse } from './errors.ts';
import { type Expressions, type Opened, only, open } from './requests.ts';
import {
  comparePositions,
  createStoredTable,
  type Stored,
  type StoredTable,
  type View,
} from './stored-table.ts';
import { copyOf, itemSize, typeOf } from './values.ts';

/** Limits of DynamoDB: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const itemBytes = 400 * 1_024;
const pageBytes = 1_024 * 1_024;
const batchGetBytes = 16 * pageBytes;
const transactionBytes = 4 * pageBytes;
const partitionKeyBytes = 2_048;
const sortKeyBytes = 1_024;
const mostReads = 100;
const mostBatchWrites = 25;
/** Time that DynamoDB remembers the token of a transaction. */
const tokenMs = 10 * 60_000;
const tokenLength = 36;

interface Write extends Expressions {
  readonly TableName: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly ReturnValues?: string;
  readonly ReturnValuesOnConditionCheckFailure?: string;
}

interface Read extends Expressions {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly ConsistentRead?: boolean;
  readonly ScanIndexForward?: boolean;
  readonly Limit?: number;
  readonly ExclusiveStartKey?: Item;
  readonly Select?: string;
}

type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** A write that DynamoDB would not refuse whatever is stored. It shares no memory with the request. */
interface Prepared {
  readonly kind: WriteKind;
  readonly write: Write;
  readonly table: StoredTable;
  readonly key: Item;
  /** The item of a put. */
  readonly item: Item | undefined;
  readonly expressions: Opened;
}

/** The result of a write: the item before and after it; an absent `after` deletes it. */
interface Planned extends Prepared {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** A committed transaction. */
interface Committed {
  readonly parts: readonly object[];
  readonly untilMs: number;
}

/**
 * DynamoDB in memory, as far as the service uses it. It applies the rules of AWS that the local cloud has, and a test compares
 * it with the database engine, on random requests. It does not know reserved words, projections of parts of an attribute, and
 * `ReturnValues` of an update other than `ALL_NEW`. What is written can be read at once, from indexes too.
 */
export function createMemoryDatabase(): Database {
  const tables = new Map<string, StoredTable>();
  const committed = new Map<string, Committed>();

  const tableNamed = (name: string): StoredTable =>
    tables.get(name) ?? fail('ResourceNotFoundException', 'Requested resource not found');

  function prepare(kind: WriteKind, write: Write): Prepared {
    const table = tableNamed(write.TableName);
    const item = kind === 'Put' ? copyOf(write.Item ?? {}) : undefined;
    const key = item ? keyOfItem(table, item) : keyOf(table, write.Key);
    if (item && itemSize(item) > itemBytes) refuse('Item size has exceeded the maximum allowed size');
    const expressions = open(write);
    const changedKey = expressions.changed.find((name) => table.shape.keyNames.includes(name));
    if (changedKey !== undefined)
      refuse(
        `One or more parameter values were invalid: Cannot update attribute ${changedKey}. This attribute is part of the key`,
      );
    return { kind, write, table, key, item, expressions };
  }

  /** @throws ConditionalCheckFailedException; InvalidForItem */
  function plan(prepared: Prepared): Planned {
    const { kind, write, table, key, item, expressions } = prepared;
    const before = table.get(key);
    if (item) checkIndexKeys(table, item);
    if (!expressions.holdsFor(before ?? {}))
      throw conditionFailed(write.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? before : undefined);
    switch (kind) {
      case 'Put':
        return { ...prepared, before, after: item };
      case 'Update': {
        const after = expressions.updated(before ?? key);
        checkIndexKeys(table, after);
        if (itemSize(after) > itemBytes)
          throw new InvalidForItem('Item size to update has exceeded the maximum allowed size');
        return { ...prepared, before, after };
      }
      case 'Delete':
        return { ...prepared, before, after: undefined };
      case 'ConditionCheck':
        return { ...prepared, before, after: before };
    }
  }

  function write(kind: WriteKind, input: Item): Item {
    const request = input as unknown as Write;
    const isShown = returnedBy(kind, request.ReturnValues);
    const planned = plan(prepare(kind, request));
    carryOut(planned);
    const shown = isShown && planned[isShown];
    return shown ? { Attributes: copyOf(shown) } : {};
  }

  function batchGet(requests: Readonly<Record<string, Expressions & { readonly Keys: Item[] }>>): Item {
    checkCount(Object.values(requests).flatMap(({ Keys }) => Keys).length, mostReads);
    let size = 0;
    const Responses: Record<string, Item[]> = {};
    const UnprocessedKeys: Record<string, Item> = {};
    for (const [name, request] of Object.entries(requests)) {
      const table = tableNamed(name);
      const keys = request.Keys.map((key) => keyOf(table, key));
      checkDistinct(
        keys.map((key) => ({ table, key })),
        'Provided list of item keys contains duplicates',
      );
      const { projected } = open(request);
      const found: Item[] = [];
      const unread: Item[] = [];
      for (const key of keys) {
        const item = table.get(key);
        if (unread.length === 0) size += item ? itemSize(item) : 0;
        if (size > batchGetBytes) unread.push(key);
        else if (item) found.push(projected(item));
      }
      Responses[name] = found;
      if (unread.length > 0) UnprocessedKeys[name] = { ...request, Keys: unread };
    }
    return { Responses, UnprocessedKeys };
  }

  function batchWrite(requests: Readonly<Record<string, readonly Record<string, Item>[]>>): Item {
    const prepared = Object.entries(requests).flatMap(([TableName, parts]) =>
      parts.map(({ PutRequest, DeleteRequest }) =>
        PutRequest
          ? prepare('Put', { TableName, Item: PutRequest['Item'] as Item })
          : prepare('Delete', { TableName, Key: DeleteRequest?.['Key'] as Item }),
      ),
    );
    checkCount(prepared.length, mostBatchWrites);
    checkDistinct(prepared, 'Provided list of item keys contains duplicates');
    for (const each of prepared.map(plan)) carryOut(each);
    return { UnprocessedItems: {} };
  }

  function transactGet(parts: readonly Item[]): Item {
    checkCount(parts.length, mostReads);
    const gets = parts.map((part) => {
      const get = part['Get'] as Expressions & { readonly TableName: string; readonly Key: Item };
      const table = tableNamed(get.TableName);
      return { table, key: keyOf(table, get.Key), expressions: open(get) };
    });
    checkDistinct(gets, 'Transaction request cannot include multiple operations on one item');
    const found = gets.map(({ table, key }) => table.get(key));
    // The engine returns more. AWS: "The aggregate size of the items in the transaction cannot exceed 4 MB."
    checkTransactionSize(found);
    return {
      Responses: found.map((item, index) => (item ? { Item: gets[index]?.expressions.projected(item) } : {})),
    };
  }

  function transactWrite(parts: readonly Record<string, Write>[], token: string | undefined): Item {
    checkCount(parts.length, mostReads);
    if (token !== undefined && token.length > tokenLength)
      refuse(`Value at 'clientRequestToken' failed to satisfy constraint: at most ${tokenLength} characters`);
    const prepared = parts.flatMap((part) =>
      Object.entries(part).map(([kind, request]) => prepare(kind as WriteKind, request)),
    );
    checkDistinct(prepared, 'Transaction request cannot include multiple operations on one item');
    const now = Date.now();
    for (const [known, { untilMs }] of committed) {
      if (untilMs > now) break;
      committed.delete(known);
    }
    const identity = prepared.map(({ kind, write: { TableName, ...request }, key, item, expressions }) => ({
      ...{ kind, TableName, key, item, values: expressions.values },
      condition: request.ConditionExpression,
      update: request.UpdateExpression,
      names: request.ExpressionAttributeNames,
    }));
    const former = token === undefined ? undefined : committed.get(token);
    if (former && isDeepStrictEqual(former.parts, identity)) return {};
    if (former)
      fail('IdempotentParameterMismatchException', 'The token belongs to a transaction with other parts');
    transact(prepared);
    if (token !== undefined) committed.set(token, { parts: identity, untilMs: now + tokenMs });
    return {};
  }

  const operations: Readonly<Record<string, (input: Item) => Item>> = {
    CreateTable(input) {
      const name = String(input['TableName']);
      if (tables.has(name)) fail('ResourceInUseException', `Table already exists: ${name}`);
      tables.set(name, createStoredTable(input));
      return {};
    },
    DeleteTable({ TableName: name }) {
      tableNamed(String(name));
      tables.delete(String(name));
      return {};
    },
    GetItem(input) {
      const { projected } = open(input as Expressions);
      const table = tableNamed(String(input['TableName']));
      const item = table.get(keyOf(table, input['Key'] as Item | undefined));
      return item ? { Item: projected(item) } : {};
    },
    PutItem: (input) => write('Put', input),
    UpdateItem: (input) => write('Update', input),
    DeleteItem: (input) => write('Delete', input),
    Query: (input) => query(tableNamed(String(input['TableName'])), input as unknown as Read),
    /** Only tests read a whole table. */
    Scan: (input) => scan(tableNamed(String(input['TableName'])), input as unknown as Read),
    BatchGetItem: ({ RequestItems: requests }) => batchGet(requests as Parameters<typeof batchGet>[0]),
    BatchWriteItem: ({ RequestItems: requests }) => batchWrite(requests as Parameters<typeof batchWrite>[0]),
    TransactGetItems: ({ TransactItems: parts }) => transactGet(parts as Item[]),
    TransactWriteItems: ({ TransactItems: parts, ClientRequestToken: token }) =>
      transactWrite(parts as Record<string, Write>[], token as string | undefined),
  };

  /** @throws TransactionCanceledException */
  function transact(prepared: readonly Prepared[]): void {
    const failures: (Error | undefined)[] = [];
    const planned = prepared.flatMap((each, index) => {
      try {
        return plan(each);
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException || error instanceof InvalidForItem))
          throw error;
        failures[index] = error;
        return [];
      }
    });
    if (failures.length > 0) throw cancelled(prepared.map((_, index) => failures[index]));
    checkTransactionSize(planned.map(({ before, after }) => after ?? before));
    for (const each of planned) carryOut(each);
  }

  return {
    request: async (operation, input) => {
      const carryOutRequest = operations[operation];
      if (!carryOutRequest) throw new Error(`the database in memory has no operation ${operation}`);
      if ((input['ReturnConsumedCapacity'] ?? 'NONE') !== 'NONE')
        throw new Error('the database in memory does not know what a request consumes');
      try {
        return carryOutRequest(input);
      } catch (error) {
        throw asThrownBySdk(error);
      }
    },
  };
}

function fail(code: string, message: string): never {
  throw new AwsError(code, message);
}

function carryOut({ kind, table, key, after }: Planned): void {
  if (kind !== 'ConditionCheck') table.write(key, after);
}

const returnable: Readonly<Record<WriteKind, readonly string[]>> = {
  Put: ['NONE', 'ALL_OLD'],
  Delete: ['NONE', 'ALL_OLD'],
  Update: ['NONE', 'ALL_NEW'],
  ConditionCheck: ['NONE'],
};

/** The member of a planned write that the response shows. */
function returnedBy(kind: WriteKind, returnValues = 'NONE'): 'before' | 'after' | undefined {
  if (!returnable[kind].includes(returnValues))
    refuse(`ReturnValues can only be ${returnable[kind].join(' or ')}`);
  return returnValues === 'NONE' ? undefined : returnValues === 'ALL_NEW' ? 'after' : 'before';
}

function checkCount(count: number, most: number): void {
  if (count === 0) refuse('Member must have length greater than or equal to 1');
  if (count > most) refuse(`Member must have length less than or equal to ${most}`);
}

function checkDistinct(
  named: readonly { readonly table: StoredTable; readonly key: Item }[],
  message: string,
): void {
  const seen = new Map<StoredTable, Set<string>>();
  for (const { table, key } of named) {
    const names = seen.get(table) ?? new Set();
    const name = JSON.stringify(table.shape.keyNames.map((each) => key[each]));
    if (names.has(name)) refuse(message);
    seen.set(table, names.add(name));
  }
}

function checkTransactionSize(items: readonly (Item | undefined)[]): void {
  // No item is larger than this.
  if (items.length * itemBytes <= transactionBytes) return;
  const size = items.reduce((sum, item) => sum + (item ? itemSize(item) : 0), 0);
  if (size > transactionBytes)
    refuse('The aggregate size of the items in the transaction exceeds the limit of 4 MB');
}

/** A copy of a key. @throws AwsError `ValidationException` unless it is the whole key of an item and nothing else */
function keyOf({ shape }: StoredTable, key: Item | undefined): Item {
  const given = copyOf(key ?? {});
  const isWhole = shape.keyNames.every((name) => typeof given[name] === 'string');
  if (!isWhole || Object.keys(given).length !== shape.keyNames.length)
    refuse('The provided key element does not match the schema');
  checkKey(shape.keyNames, given);
  return given;
}

function keyOfItem({ shape }: StoredTable, item: Item): Item {
  for (const name of shape.keyNames) {
    if (item[name] === undefined)
      refuse(`One or more parameter values were invalid: Missing the key ${name} in the item`);
    if (typeof item[name] !== 'string')
      refuse(
        `One or more parameter values were invalid: Type mismatch for key ${name} expected: S actual: ${typeOf(item[name])}`,
      );
  }
  checkKey(shape.keyNames, item);
  return only(item, shape.keyNames);
}

function checkKey(names: readonly string[], key: Item): void {
  for (const [position, name] of names.entries()) {
    const text = String(key[name]);
    const limit = position === 0 ? partitionKeyBytes : sortKeyBytes;
    if (text === '')
      refuse(
        `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
      );
    if (Buffer.byteLength(text) > limit)
      refuse(
        `One or more parameter values were invalid: Size of ${name} exceeds the limit of ${limit} bytes`,
      );
  }
}

/** @throws InvalidForItem */
function checkIndexKeys({ shape }: StoredTable, item: Item): void {
  for (const [indexName, { keyNames }] of shape.indexes) {
    for (const [position, name] of keyNames.entries()) {
      const value = item[name];
      if (value === undefined) continue;
      const onWire = typeof value === 'string' ? { S: value } : { [typeOf(value)]: value };
      const problem = problemOfIndexKey(onWire, shape.types.get(name), position);
      if (problem !== undefined)
        throw new InvalidForItem(
          `One or more parameter values were invalid: Index key ${name} of ${indexName}: ${problem}`,
        );
    }
  }
}

function query(table: StoredTable, request: Read): Item {
  const { IndexName: indexName, ExclusiveStartKey: start, ScanIndexForward: isForward = true } = request;
  const view = table.view(indexName) ?? refuse(`The table does not have the specified index: ${indexName}`);
  if (indexName !== undefined && request.ConsistentRead)
    refuse('Consistent reads are not supported on global secondary indexes');
  const expressions = open(request);
  checkRules(request, expressions, table);
  const partition = partitionOf(expressions, view.keyNames);
  const keyInFilter = view.keyNames.find((name) => expressions.filtered.has(name));
  if (keyInFilter !== undefined)
    refuse(
      `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${keyInFilter}`,
    );
  if (start) checkStartKey(start, view.position);
  const isAfter = (item: Item) => {
    if (!start) return true;
    const sign = comparePositions(view.position, item, start);
    return isForward ? sign > 0 : sign < 0;
  };
  const inOrder = table.partition(view, partition);
  const candidates = (isForward ? inOrder : inOrder.toReversed()).filter(
    ({ item }) => expressions.matchesKey(item) && isAfter(item),
  );
  return pageOf(candidates, view, expressions, request);
}

/** The rules that the local cloud has for queries, which are for values as they are sent. */
function checkRules(request: Read, { values }: Opened, { shape }: StoredTable): void {
  const { ExclusiveStartKey: start } = request;
  const onWire = {
    ...request,
    ExpressionAttributeValues: marshall(values),
    ...(start && { ExclusiveStartKey: marshall(start) }),
  };
  checkPart({ kind: 'Query', request: onWire as unknown as PartRequest }, shape);
}

const sortOperators = new Set(['=', '<', '<=', '>', '>=', 'BETWEEN', 'begins_with']);

/** The value of the partition key. @throws AwsError `ValidationException` unless the rest is one test of the sort key */
function partitionOf({ keyTests, values }: Opened, [partitionKey, sortKey]: readonly string[]): unknown {
  const ofPartition = keyTests.find(
    ({ operator, operands }) => operator === '=' && operands[0] === partitionKey,
  );
  if (!ofPartition) refuse(`Query condition missed key schema element: ${partitionKey}`);
  const others = keyTests.filter((each) => each !== ofPartition);
  for (const { operator, operands } of others) {
    if (others.length > 1 || operands[0] !== sortKey || !sortOperators.has(operator))
      refuse('Query key condition not supported');
  }
  for (const { operands } of keyTests) {
    for (const operand of operands.slice(1)) {
      // The engine finds nothing. AWS refuses, because keys have a type.
      if (typeof values[operand] !== 'string')
        refuse(
          'One or more parameter values were invalid: Condition parameter type does not match schema type',
        );
    }
  }
  return values[ofPartition.operands[1] ?? ''];
}

function checkStartKey(start: Item, position: readonly string[]): void {
  const isWhole = position.every((name) => typeof start[name] === 'string');
  if (!isWhole || Object.keys(start).length !== position.length)
    refuse('The provided starting key is invalid');
}

function scan(table: StoredTable, request: Read): Item {
  const { IndexName: indexName, ExclusiveStartKey: start } = request;
  const view = table.view(undefined);
  if (indexName !== undefined || !view) throw new Error('the database in memory does not scan indexes');
  if (start) checkStartKey(start, view.position);
  const inOrder = [...table.all()].sort((one, other) =>
    comparePositions(view.position, one.item, other.item),
  );
  const candidates = start
    ? inOrder.filter(({ item }) => comparePositions(view.position, item, start) > 0)
    : inOrder;
  return pageOf(candidates, view, open(request), request);
}

/** The response with the first of these items: as many as the limit and the size of a page allow. */
function pageOf(
  candidates: readonly Stored[],
  { position, projected }: View,
  expressions: Opened,
  { Limit: limit = Number.POSITIVE_INFINITY, Select }: Read,
): Item {
  if (limit < 1) refuse("Value at 'Limit' failed to satisfy constraint: greater than or equal to 1");
  const attributes = projected && [...projected];
  const read: Item[] = [];
  let bytes = 0;
  for (const { item, size } of candidates) {
    const shown = attributes ? only(item, attributes) : item;
    bytes += attributes ? itemSize(shown) : size;
    if (read.length === limit || bytes > pageBytes) break;
    read.push(shown);
  }
  const found = read.filter(expressions.passesFilter);
  const isCut = read.length === limit || read.length < candidates.length;
  const last = isCut ? read.at(-1) : undefined;
  return {
    Count: found.length,
    ScannedCount: read.length,
    ...(Select !== 'COUNT' && { Items: found.map(expressions.projected) }),
    ...(last && { LastEvaluatedKey: only(last, position) }),
  };
}
