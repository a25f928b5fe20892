import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { workerFunctions } from '../../../infra/functions/workers.ts';
import { withSealingKeys } from '../../../lib/api-contract/rights.ts';
import { secondMs } from '../../../lib/kernel/clock.ts';
import { backoffMs } from '../../../lib/kernel/retry.ts';
import { indexes } from '../../../lib/table/schema.ts';
import type { Table } from '../../../lib/table/table.ts';
import { clientOf, type Database, type Item, operationOf } from '../../support/database/database.ts';
import { isGranted, tableUses } from '../../support/table-use.ts';
import { InjectedError, inject, isInjected } from '../world/faults.ts';
import { currentProcess, type Process } from '../world/process.ts';
import type { World } from '../world/world.ts';
import { type Committed, keyOf } from './committed.ts';
import type { FormerReads } from './former-reads.ts';
import { requestText } from './item-names.ts';
import { keysWrittenBy, type OpenTransactions } from './open-transactions.ts';
import { type OverdueIndex, queryOverdue } from './overdue-index.ts';
import { nextReleaseReads, nextReleaseReadsError, nextReleaseWrites } from './releases.ts';

/** Replaces a request of a process: a planted bug. */
export type AlterRequest = (operation: string, input: Item) => Item;

export interface TableSetting {
  readonly world: World;
  readonly engine: Database;
  readonly tableName: string;
  readonly committed: Committed;
  readonly transactions: OpenTransactions;
  readonly formerReads: FormerReads;
  readonly overdueIndex: OverdueIndex;
  readonly alter?: AlterRequest | undefined;
}

/** The same as in `awsClientOptions`. */
const maxAttempts = 4;
const requestTimeoutMs = 3 * secondMs;

/**
 * The table as the current process sees it: the real engine behind the SDK's retries, with throttling, lost responses,
 * conflicts, unprocessed keys, transactions that become visible part by part, and a lagging index.
 */
export function createTable(setting: TableSetting): Table {
  const { world, tableName, committed } = setting;
  const committedByToken = new Map<unknown, Item>();
  const pause = (process: Process, attempt: number, baseMs: number, capMs: number) =>
    world.sleep(process, backoffMs(attempt, { baseMs, capMs }, world.random.next()));

  async function send(command: { readonly input: object }): Promise<Item> {
    const process = currentProcess();
    const operation = operationOf(command);
    const asked = { ...command.input };
    const input: Item = process.release === 'next' ? nextReleaseWrites(asked) : asked;
    checkTenant(setting, process, operation, input);
    checkRights(world, process, operation, input);
    // A transaction carries an idempotency token, so DynamoDB recognizes a retry; a single write carries none.
    const token = input['ClientRequestToken'];
    const once = async () => {
      const done = committedByToken.get(token);
      if (done) return done;
      const output = await apply(setting, process, operation, input);
      if (token !== undefined) committedByToken.set(token, output);
      return output;
    };
    const limit = {
      ms: requestTimeoutMs,
      error: () => new InjectedError('the table did not respond in time'),
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        const what = requestText(operation, input);
        const output = await world.call(
          process,
          what,
          () => faulty(setting, operation, input, once, committedByToken.has(token)),
          {
            limit,
          },
        );
        if (operation === 'TransactWriteItems') await untilVisible(setting, process, input);
        return process.release === 'next' ? nextReleaseReads(output) : output;
      } catch (error) {
        if (!isRepeatedBySdk(error) || attempt === maxAttempts) {
          if (isInjected(error))
            for (const key of keysWrittenBy(operation, input)) committed.noteFailedWrite(key, process);
          throw process.release === 'next' ? nextReleaseReadsError(error) : error;
        }
      }
      await pause(process, attempt, 50, 2 * secondMs);
    }
  }

  return {
    name: tableName,
    client: clientOf(send),
    backOff: (attempt, { baseMs, capMs }) => pause(currentProcess(), attempt, baseMs, capMs),
  };
}

const isRepeatedBySdk = (error: unknown): boolean =>
  error instanceof InjectedError || error instanceof ProvisionedThroughputExceededException;

/** DynamoDB responds to a transaction once all its parts are visible. */
async function untilVisible({ world, transactions }: TableSetting, process: Process, input: Item) {
  const restMs = transactions.visibleMs(keysWrittenBy('TransactWriteItems', input)) - world.now();
  if (restMs > 0) await world.sleep(process, restMs);
}

async function faulty(
  { world, transactions }: TableSetting,
  operation: string,
  input: Item,
  request: () => Promise<Item>,
  isDone: boolean,
): Promise<Item> {
  if (world.outageOf('table')) throw new InjectedError('the table does not answer');
  const isTransaction = operation.startsWith('Transact');
  if (world.happens('tableThrottled')) throw isTransaction ? cancelled('ThrottlingError') : throttled();
  const keys = keysWrittenBy(operation, input);
  const isBusy = transactions.visibleMs(keys) > world.now();
  if (isTransaction && !isDone && (isBusy || world.happens('transactionConflict')))
    throw cancelled('TransactionConflict');
  if (!isTransaction && keys.length > 0 && (isBusy || world.happens('writeConflict'))) throw conflict();
  const output = await request();
  if (world.happens('tableReplyLost')) throw new InjectedError("the table's response was lost");
  return output;
}

/** The other parts of the transaction have the reason `None`. */
const cancelled = (Code: 'TransactionConflict' | 'ThrottlingError') =>
  inject(
    new TransactionCanceledException({
      message: `the transaction was cancelled: ${Code}`,
      $metadata: {},
      CancellationReasons: [{ Code: 'None' }, { Code }],
    }),
  );

const throttled = () =>
  inject(new ProvisionedThroughputExceededException({ message: 'the table is throttled', $metadata: {} }));

const conflict = () =>
  inject(new TransactionConflictException({ message: 'a transaction has the item', $metadata: {} }));

async function apply(setting: TableSetting, process: Process, operation: string, asked: Item): Promise<Item> {
  const { world, engine, committed, transactions, formerReads, overdueIndex, alter } = setting;
  let input = asked;
  try {
    input = alter?.(operation, asked) ?? asked;
  } catch (error) {
    world.troubleUntil(world.now());
    throw error;
  }
  const request = (changed: Item = input) => engine.request(operation, changed);
  switch (operation) {
    case 'UpdateItem': {
      const output = await request({ ...input, ReturnValues: 'ALL_NEW' });
      const written = output['Attributes'] as Item;
      committed.write(keyOf(written), written, process);
      return output;
    }
    case 'PutItem': {
      const output = await request();
      const item = input['Item'] as Item;
      committed.write(keyOf(item), item, process);
      return output;
    }
    case 'DeleteItem': {
      const output = await request();
      committed.write(keyOf(input['Key'] as Item), undefined, process);
      return output;
    }
    case 'TransactWriteItems': {
      const parts = input['TransactItems'] as Record<string, Item>[];
      const before = new Map(keysWrittenBy(operation, input).map((key) => [key, committed.get(key)]));
      const output = await request();
      transactions.begin(before);
      for (const part of parts) await noteWritten(part, { engine, committed, process });
      return output;
    }
    case 'BatchWriteItem': {
      const { kept, unprocessed } = handBackWrites(world, input);
      const isNoneKept = Object.keys(kept).length === 0;
      const carriedOut = isNoneKept ? {} : await request({ RequestItems: kept });
      const output = { ...carriedOut, UnprocessedItems: unprocessed };
      for (const part of Object.values(kept).flat()) {
        const { PutRequest, DeleteRequest } = part as Record<string, Record<string, Item>>;
        if (PutRequest?.['Item']) committed.write(keyOf(PutRequest['Item']), PutRequest['Item'], process);
        if (DeleteRequest?.['Key']) committed.write(keyOf(DeleteRequest['Key']), undefined, process);
      }
      return output;
    }
    case 'GetItem':
      return formerReads.shown(operation, input, transactions.shown(await request()));
    case 'BatchGetItem':
      return formerReads.shown(operation, input, transactions.shown(await handBack(world, input, request)));
    case 'Query':
      return input['IndexName'] === indexes.overdue.indexName
        ? queryOverdue(overdueIndex, input)
        : transactions.shown(await request());
    default:
      return transactions.shown(await request());
  }
}

async function noteWritten(
  { Put, Delete, Update }: Record<string, Item>,
  { engine, committed, process }: { engine: Database; committed: Committed; process: Process },
): Promise<void> {
  if (Put) committed.write(keyOf(Put['Item'] as Item), Put['Item'] as Item, process);
  if (Delete) committed.write(keyOf(Delete['Key'] as Item), undefined, process);
  if (!Update) return;
  const { TableName, Key } = Update;
  const { Item: item } = await engine.request('GetItem', { TableName, Key, ConsistentRead: true });
  committed.write(keyOf(Key as Item), item as Item, process);
}

/** DynamoDB may return writes of a batch unprocessed. */
function handBackWrites(world: World, input: Item) {
  const all = Object.entries(input['RequestItems'] as Record<string, Item[]>);
  const isWhole = !world.happens('keysHandedBack');
  const sides = all.map(([tableName, requests]) => {
    const keep = isWhole ? requests.length : world.random.integer(0, requests.length - 1);
    return { tableName, kept: requests.slice(0, keep), unprocessed: requests.slice(keep) };
  });
  const of = (side: 'kept' | 'unprocessed') =>
    Object.fromEntries(
      sides.flatMap((each) => (each[side].length > 0 ? [[each.tableName, each[side]]] : [])),
    );
  return { kept: of('kept'), unprocessed: of('unprocessed') };
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
function checkTenant(setting: TableSetting, process: Process, operation: string, input: Item): void {
  const { world } = setting;
  const { workspaceId } = process;
  if (workspaceId === undefined || readsAccountOfLogin(setting, process, operation, input)) return;
  for (const name of partitionsIn(input)) {
    // Repair tasks belong to the service, not to a workspace.
    if (!name.startsWith('CHORE#') && !name.includes(workspaceId) && !isShared(name))
      world.violate(`${process.name}: ${operation} of another workspace's ${name}`);
  }
}

/** The partitions of logins that a process has read. */
const loginsRead = new WeakMap<Process, Set<string>>();

/**
 * True for a single read of an account that a login names which the process has read: before a login is revoked at the platform, which
 * would end all of its connections, the service looks whether another workspace still uses it.
 */
function readsAccountOfLogin(
  { committed }: TableSetting,
  process: Process,
  operation: string,
  input: Item,
): boolean {
  const logins = loginsRead.get(process) ?? new Set();
  loginsRead.set(process, logins);
  if (operation === 'Query')
    for (const name of partitionsIn(input)) if (name.startsWith('LOGIN#')) logins.add(name);
  if (operation !== 'GetItem' || logins.size === 0) return false;
  const read = committed.get(keyOf(input['Key'] as Item));
  if (read?.['kind'] !== 'account') return false;
  return [...committed.items()].some(
    ({ pk, workspaceId, accountId }) =>
      logins.has(String(pk)) && workspaceId === read['workspaceId'] && accountId === read['id'],
  );
}

const rightsByFunction = new Map(workerFunctions.map(({ name, rights }) => [name, withSealingKeys(rights)]));

/** Refuses what the rights of the function do not contain, as IAM does in the deployed service. */
function checkRights(world: World, process: Process, operation: string, input: Item): void {
  const rights = rightsByFunction.get(process.name.replace(/ #\d+$/, ''));
  if (!rights) return;
  for (const use of tableUses(operation, input)) {
    if (!isGranted(rights, use))
      world.violate(`${process.name} has no right to ${use.action} on ${use.index ?? use.partitionKey}`);
  }
}

/** Partitions whose keys name no workspace, such as those of a platform's account or of a short link. */
const isShared = (partition: string): boolean => !/^(WORKSPACE|POST|TARGET|CALENDAR|MEDIA)#/.test(partition);

function partitionsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(partitionsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'pk' || name === ':partition' ? [String(part)] : partitionsIn(part),
  );
}
