import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { indexes } from '../../../../lib/table/schema.ts';
import type { EngineTable, Item } from '../engine-table.ts';
import { type Expressions, open } from './requests.ts';
import { compare, copyOf } from './values.ts';

interface Write extends Expressions {
  readonly TableName: string;
  readonly Key?: Item;
  readonly Item?: Item;
  readonly ReturnValues?: string;
  readonly ReturnValuesOnConditionCheckFailure?: string;
}

interface Query extends Expressions {
  readonly TableName: string;
  readonly IndexName?: string;
  readonly ScanIndexForward?: boolean;
  readonly Limit?: number;
  readonly ExclusiveStartKey?: Item;
  readonly Select?: string;
}

/** The items of one table, by partition and sort key. */
type Partitions = Map<string, Map<string, Item>>;

/** What a write leaves: the item before and after it; an absent `after` deletes it. */
interface Planned {
  readonly table: Partitions;
  readonly key: Item;
  readonly after: Item | undefined;
}

const indexKeys: ReadonlySet<string> = new Set(
  Object.values(indexes).flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]),
);

/**
 * DynamoDB in memory, as far as the service uses it: a seed makes a hundred requests, and a database process would take
 * most of the time. A test compares it with the database engine of the local cloud, request by request.
 */
export function createDatabase(): EngineTable {
  const tables = new Map<string, Partitions>();
  const committedTokens = new Set<unknown>();

  const tableOf = (name: unknown): Partitions => {
    const found = tables.get(String(name));
    if (!found) throw new Error(`ResourceNotFoundException: there is no table ${name}`);
    return found;
  };
  const find = (name: unknown, { pk, sk }: Item): Item | undefined =>
    tableOf(name).get(String(pk))?.get(String(sk));

  /** @throws ConditionalCheckFailedException */
  function plan(kind: WriteKind, write: Write): Planned {
    const key = keyOf(write.Key ?? write.Item ?? {});
    const before = find(write.TableName, key);
    const expressions = open(write);
    if (!expressions.holdsFor(before ?? {}))
      throw conditionFailed(write.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? before : undefined);
    const after = results[kind](write, before, () => expressions.updated(before ?? key));
    if (after) checkIndexKeys(after);
    return { table: tableOf(write.TableName), key, after };
  }

  function write(kind: WriteKind, input: Item): Item {
    const request = input as unknown as Write;
    const planned = plan(kind, request);
    carryOut(planned);
    return request.ReturnValues === 'ALL_NEW' ? { Attributes: copyOf(planned.after) } : {};
  }

  const operations: Readonly<Record<string, (input: Item) => Item>> = {
    CreateTable({ TableName: name }) {
      if (tables.has(String(name))) throw new Error(`ResourceInUseException: the table ${name} exists`);
      tables.set(String(name), new Map());
      return {};
    },
    DeleteTable({ TableName: name }) {
      tableOf(name);
      tables.delete(String(name));
      return {};
    },
    GetItem(input) {
      const item = find(input['TableName'], input['Key'] as Item);
      return item ? { Item: open(input as Expressions).projected(item) } : {};
    },
    PutItem: (input) => write('Put', input),
    UpdateItem: (input) => write('Update', input),
    DeleteItem: (input) => write('Delete', input),
    Query: (input) => query(tableOf(input['TableName']), input as unknown as Query),
    /** Only tests read a whole table. */
    Scan(input) {
      const { passesFilter } = open(input as Expressions);
      const items = [...tableOf(input['TableName']).values()].flatMap((partition) => [...partition.values()]);
      return { Items: items.filter(passesFilter).map(copyOf) };
    },
    BatchGetItem({ RequestItems: requests }) {
      const found = Object.entries(requests as Record<string, { Keys: Item[] }>).map(
        ([name, { Keys: keys }]) => {
          checkDistinct(keys);
          return [name, keys.flatMap((key) => copyOf(find(name, key)) ?? [])] as const;
        },
      );
      return { Responses: Object.fromEntries(found), UnprocessedKeys: {} };
    },
    BatchWriteItem({ RequestItems: requests }) {
      for (const [name, parts] of Object.entries(requests as Record<string, Record<string, Item>[]>)) {
        checkDistinct(
          parts.map(
            ({ PutRequest, DeleteRequest }) => (PutRequest?.['Item'] ?? DeleteRequest?.['Key']) as Item,
          ),
        );
        for (const { PutRequest, DeleteRequest } of parts)
          write(PutRequest ? 'Put' : 'Delete', { TableName: name, ...(PutRequest ?? DeleteRequest) });
      }
      return { UnprocessedItems: {} };
    },
    TransactGetItems({ TransactItems: parts }) {
      const found = (parts as { Get: { TableName: string; Key: Item } }[]).map(
        ({ Get: { TableName, Key } }) => find(TableName, Key),
      );
      return { Responses: found.map((item) => (item ? { Item: copyOf(item) } : {})) };
    },
    TransactWriteItems({ TransactItems: parts, ClientRequestToken: token }) {
      if (token !== undefined && committedTokens.has(token)) return {};
      const output = transact(parts as Record<string, Write>[]);
      if (token !== undefined) committedTokens.add(token);
      return output;
    },
  };

  function transact(parts: readonly Record<string, Write>[]): Item {
    const writes = parts.flatMap((part) => Object.entries(part) as [WriteKind, Write][]);
    checkDistinct(writes.map(([, { Key, Item: item }]) => Key ?? item ?? {}));
    const failures: (ConditionalCheckFailedException | undefined)[] = [];
    const planned = writes.flatMap(([kind, part], index) => {
      try {
        return plan(kind, part);
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        failures[index] = error;
        return [];
      }
    });
    if (failures.length > 0) throw cancelled(writes.map((_, index) => failures[index]));
    for (const each of planned) carryOut(each);
    return {};
  }

  return {
    request: async (operation, input) => {
      const carryOutRequest = operations[operation];
      if (!carryOutRequest) throw new Error(`the simulated database has no operation ${operation}`);
      return carryOutRequest(input);
    },
  };
}

/** What a write makes of an item. */
const results = {
  Put: ({ Item: item }: Write) => copyOf(item),
  Update: (_write: Write, _before: Item | undefined, update: () => Item) => update(),
  Delete: () => undefined,
  ConditionCheck: (_write: Write, before: Item | undefined) => before,
} as const;

type WriteKind = keyof typeof results;

function carryOut({ table, key, after }: Planned): void {
  const [partition, sort] = [String(key['pk']), String(key['sk'])];
  const items = table.get(partition) ?? new Map<string, Item>();
  table.set(partition, items);
  if (after) items.set(sort, after);
  else items.delete(sort);
}

const keyOf = ({ pk, sk }: Item): Item => {
  if (!pk || !sk) throw new Error('ValidationException: the key is incomplete');
  return { pk, sk };
};

function checkDistinct(keys: readonly Item[]): void {
  const names = new Set(keys.map(({ pk, sk }) => `${pk} ${sk}`));
  if (names.size < keys.length) throw new Error('ValidationException: the request names an item twice');
}

function checkIndexKeys(item: Item): void {
  for (const [name, value] of Object.entries(item)) {
    if (indexKeys.has(name) && (typeof value !== 'string' || value === ''))
      throw new Error(`ValidationException: ${name} is an index key, so it must be text`);
  }
}

function query(table: Partitions, request: Query): Item {
  const index = Object.values(indexes).find(({ indexName }) => indexName === request.IndexName);
  if (request.IndexName !== undefined && !index) throw new Error(`there is no index ${request.IndexName}`);
  const { matchesKey, passesFilter, projected } = open(request);
  const sortKeys = index ? [index.sortKey, 'pk', 'sk'] : ['sk'];
  const direction = request.ScanIndexForward === false ? -1 : 1;
  const order = (one: Item, other: Item) =>
    direction * (sortKeys.map((name) => compare(one[name], other[name])).find((sign) => sign !== 0) ?? 0);
  const { ExclusiveStartKey: after, Limit: limit = Infinity } = request;
  const matching = itemsOf(table, index ? undefined : request)
    .filter((item) => (!index || item[index.sortKey] !== undefined) && matchesKey(item))
    .filter((item) => !after || order(item, after) > 0)
    .sort(order);
  const read = matching.slice(0, limit);
  const found = read.filter(passesFilter);
  const last = read.length === limit ? read.at(-1) : undefined;
  const keyNames = ['pk', 'sk', ...(index ? [index.partitionKey, index.sortKey] : [])];
  const only = (item: Item, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, item[name]]));
  const shown = (item: Item) => projected(index?.projection === 'KEYS_ONLY' ? only(item, keyNames) : item);
  return {
    Count: found.length,
    ScannedCount: read.length,
    ...(request.Select !== 'COUNT' && { Items: found.map(shown) }),
    ...(last && { LastEvaluatedKey: only(last, keyNames) }),
  };
}

/** The items of one partition, or those of the whole table for an index. */
function itemsOf(table: Partitions, request: Query | undefined): Item[] {
  if (!request) return [...table.values()].flatMap((items) => [...items.values()]);
  const partition = request.ExpressionAttributeValues?.[':partition'];
  return [...(table.get(String(partition))?.values() ?? [])];
}

const failedText = 'The conditional request failed';

/** The document client leaves items inside errors marshalled. */
const marshalled = (item: Item | undefined) =>
  item && { Item: marshall(item, { removeUndefinedValues: true }) };

function conditionFailed(item: Item | undefined): ConditionalCheckFailedException {
  return new ConditionalCheckFailedException({ message: failedText, $metadata: {}, ...marshalled(item) });
}

function cancelled(failures: readonly (ConditionalCheckFailedException | undefined)[]) {
  const reasons = failures.map((failure) =>
    failure
      ? { Code: 'ConditionalCheckFailed', Message: failedText, ...(failure.Item && { Item: failure.Item }) }
      : { Code: 'None' },
  );
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new TransactionCanceledException({
    message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    $metadata: {},
    CancellationReasons: reasons,
  });
}
