import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { secondMs } from '../../lib/kernel/clock.ts';
import { backoffMs } from '../../lib/kernel/retry.ts';
import { indexes } from '../../lib/table/schema.ts';
import type { Table } from '../../lib/table/table.ts';
import { type Committed, keyOf } from './committed.ts';
import { clientOf, type EngineTable, type Item, operationOf } from './engine-table.ts';
import { InjectedError, inject } from './faults.ts';
import type { Process, World } from './world.ts';

/** Replaces a request of a process: a planted bug. */
export type AlterRequest = (operation: string, input: Item) => Item;

export interface TableSetting {
  readonly world: World;
  readonly engine: EngineTable;
  readonly tableName: string;
  readonly committed: Committed;
  readonly alter?: AlterRequest | undefined;
}

/** The same as in `awsClientOptions`. */
const maxAttempts = 4;

/**
 * The table as one process sees it: the real engine behind the SDK's retries, with throttling, lost replies, transaction
 * conflicts, unprocessed keys, and a lagging index.
 */
export function tableOf(setting: TableSetting, process: Process): Table {
  const { world, tableName } = setting;
  const pause = (attempt: number, baseMs: number, capMs: number) =>
    world.sleep(process, backoffMs(attempt, { baseMs, capMs }, world.random.next()));

  async function send(command: { readonly input: object }): Promise<Item> {
    const operation = operationOf(command);
    const input: Item = { ...command.input };
    checkTenant(world, process, operation, input);
    // A transaction carries an idempotency token, so DynamoDB recognizes a retry; a single write carries none.
    let done: Item | undefined;
    const once = async () => {
      if (done) return done;
      const output = await apply(setting, process, operation, input);
      if (operation === 'TransactWriteItems') done = output;
      return output;
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await world.call(process, labelOf(operation, input), () => faulty(world, operation, once));
      } catch (error) {
        if (!(error instanceof InjectedError) || attempt === maxAttempts) throw error;
      }
      await pause(attempt, 50, 2 * secondMs);
    }
  }

  return {
    name: tableName,
    client: clientOf(send),
    backOff: (attempt, { baseMs, capMs }) => pause(attempt, baseMs, capMs),
  };
}

async function faulty(world: World, operation: string, request: () => Promise<Item>): Promise<Item> {
  if (world.outageOf('table')) throw new InjectedError('the table does not answer');
  if (world.happens('tableThrottled')) throw new InjectedError('the table is throttled');
  if (operation === 'TransactWriteItems' && world.happens('transactionConflict')) throw conflict();
  const output = await request();
  if (world.happens('tableReplyLost')) throw new InjectedError("the table's reply was lost");
  return output;
}

function conflict(): Error {
  return inject(
    new TransactionCanceledException({
      message: 'another transaction has the item',
      $metadata: {},
      CancellationReasons: [{ Code: 'TransactionConflict' }],
    }),
  );
}

async function apply(
  { world, engine, committed, alter }: TableSetting,
  process: Process,
  operation: string,
  asked: Item,
): Promise<Item> {
  const input = alter ? alter(operation, asked) : asked;
  switch (operation) {
    case 'UpdateItem': {
      const output = await engine.request(operation, { ...input, ReturnValues: 'ALL_NEW' });
      const written = output['Attributes'] as Item;
      committed.write(keyOf(written), written, process);
      return output;
    }
    case 'PutItem': {
      const output = await engine.request(operation, input);
      const item = input['Item'] as Item;
      committed.write(keyOf(item), item, process);
      return output;
    }
    case 'DeleteItem': {
      const output = await engine.request(operation, input);
      committed.write(keyOf(input['Key'] as Item), undefined, process);
      return output;
    }
    case 'TransactWriteItems': {
      const output = await engine.request(operation, input);
      for (const part of input['TransactItems'] as Record<string, Item>[]) {
        await noteWritten(part, { engine, committed, process });
      }
      return output;
    }
    case 'BatchGetItem':
      return handBack(world, input, (kept) => engine.request(operation, kept));
    case 'Query': {
      if (input['IndexName'] !== indexes.overdue.indexName) return engine.request(operation, input);
      // A sweep queries eight shards, but a run has items in one or two. The others need no query.
      const shard = (input['ExpressionAttributeValues'] as Item)[':partition'];
      if (!committed.has(({ dueShard }) => dueShard === shard)) return { Items: [] };
      const output = await engine.request(operation, input);
      const items = output['Items'] as Item[];
      return { ...output, Items: items.filter(() => !world.happens('indexLags')) };
    }
    default:
      return engine.request(operation, input);
  }
}

async function noteWritten(
  { Put, Delete, Update }: Record<string, Item>,
  { engine, committed, process }: { engine: EngineTable; committed: Committed; process: Process },
): Promise<void> {
  if (Put) committed.write(keyOf(Put['Item'] as Item), Put['Item'] as Item, process);
  if (Delete) committed.write(keyOf(Delete['Key'] as Item), undefined, process);
  if (!Update || !committed.get(keyOf(Update['Key'] as Item))) return;
  const { TableName, Key } = Update;
  const { Item: item } = await engine.request('GetItem', { TableName, Key, ConsistentRead: true });
  committed.write(keyOf(Key as Item), item as Item, process);
}

/** DynamoDB may return keys of a batch unprocessed. */
async function handBack(world: World, input: Item, request: (input: Item) => Promise<Item>): Promise<Item> {
  const [[tableName, asked] = []] = Object.entries(input['RequestItems'] as Record<string, { Keys: Item[] }>);
  if (tableName === undefined || !asked || !world.happens('keysHandedBack')) return request(input);
  const keep = world.random.integer(0, asked.Keys.length - 1);
  const unprocessed = { [tableName]: { ...asked, Keys: asked.Keys.slice(keep) } };
  if (keep === 0) return { Responses: {}, UnprocessedKeys: unprocessed };
  const output = await request({
    RequestItems: { [tableName]: { ...asked, Keys: asked.Keys.slice(0, keep) } },
  });
  return { ...output, UnprocessedKeys: unprocessed };
}

/** A process that works for one workspace must not touch items of another. */
function checkTenant(world: World, process: Process, operation: string, input: Item): void {
  const { workspaceId } = process;
  if (workspaceId === undefined) return;
  for (const name of partitionsIn(input)) {
    // Repair tasks belong to the service, not to a workspace.
    if (!name.startsWith('CHORE#') && !name.includes(workspaceId))
      world.violate(`${process.name}: ${operation} of another workspace's ${name}`);
  }
}

function partitionsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(partitionsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'pk' || name === ':partition' ? [String(part)] : partitionsIn(part),
  );
}

function labelOf(operation: string, input: Item): string {
  const key = (input['Key'] ?? input['Item']) as Item | undefined;
  return key ? `${operation} ${String(key['sk']).slice(0, 15)}` : operation;
}
