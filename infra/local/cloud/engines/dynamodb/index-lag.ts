/**
 * Indexes that show a write only after a lag, as AWS's global secondary indexes do
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html, "Data synchronization").
 *
 * Each table has a copy in the same engine, which follows its stream with the lag. Reads of an index are sent to the copy. So the
 * engine itself evaluates them: key conditions, filters, projections, order and pages are as in the table, and one page continues
 * where the page before it ended. The stream is durable and in order, so the copy is complete after a crash too.
 *
 * A copy has only the part of each item that the indexes show. As in AWS, a change of the rest does not write to the copy.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../clock.ts';
import type { TableResource } from '../../model.ts';
import type { StreamReader, StreamRecord } from '../types.ts';
import type { EngineClient } from './engine-client.ts';
import { problemOfIndexKey } from './index-key-rules.ts';
import { type AttributeValue, shapeOf, type TableShape } from './request-parts.ts';
import { deployTable } from './tables.ts';

/** The name under which a copy's position in the stream is stored. */
export const indexCopyConsumer = 'index copy';

const suffix = '.index-copy';
export const isIndexCopy = (tableName: string): boolean => tableName.endsWith(suffix);

const prefix = 'DynamoDB_20120810';
/** The maximum number of items in a TransactWriteItems. */
const transactionLimit = 100;
/** The maximum size of a transaction's items as JSON, which is longer than DynamoDB's count for its 4 MB limit. */
const transactionBytes = 3_000_000;
const recordsLimit = 1_000;

export interface IndexCopy {
  readonly name: string;
  /** Resolves once the copy has every write whose lag has ended. */
  catchUp(): Promise<void>;
  /** Notes that a write may have happened. */
  noteWrite(): void;
  stop(): Promise<void>;
}

/**
 * Creates the copy of a table if it is missing, and begins to follow the stream.
 *
 * @param dependencies.lagMs milliseconds of the local cloud's clock; read for each record
 */
export async function startIndexCopy(dependencies: {
  readonly client: EngineClient;
  readonly table: TableResource;
  readonly reader: StreamReader;
  /** True if the reader has a position: the copy is then complete up to it. */
  readonly hasPosition: boolean;
  readonly clock: Clock;
  readonly lagMs: () => number;
}): Promise<IndexCopy> {
  const { client, table, reader, hasPosition, clock, lagMs } = dependencies;
  const name = `${table.name}${suffix}`;
  const shown = shownByIndexes(table);
  const { streamViewType: _view, timeToLiveAttribute: _ttl, ...rest } = table;
  await deployTable(client, { ...rest, name });
  if (!hasPosition) await copyAll(client, table.name, name, shown);

  const waiting: { readonly record: StreamRecord; readonly dueAtMs: number }[] = [];
  const stopping = new AbortController();
  let hasNews = true;
  /** The time of the last noted write. Records may be read later, even after the clock has been moved. */
  let notedAtMs: number | undefined;
  let last: Promise<void> = Promise.resolve();

  /** Runs steps one after the other, because records must be applied in order. */
  function inTurn(step: () => Promise<void>): Promise<void> {
    last = last.then(step).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
    const result = last;
    last = last.catch(() => {});
    return result;
  }

  async function readRecords(): Promise<void> {
    while (hasNews && !stopping.signal.aborted) {
      hasNews = false;
      const writtenAtMs = notedAtMs ?? clock.now();
      const records = await reader.read({ maxRecords: recordsLimit, waitMs: 0, signal: stopping.signal });
      const dueAtMs = writtenAtMs + lagMs();
      for (const record of records) waiting.push({ record, dueAtMs });
      if (records.length > 0) hasNews = true;
    }
  }

  /** Returns true if a record changes an index. It is unknown, and assumed, without the old image, which not every stream has. */
  function changesIndex({ eventName, dynamodb: { NewImage, OldImage } }: StreamRecord): boolean {
    if (eventName !== 'INSERT' && !OldImage) return true;
    return !isDeepStrictEqual(OldImage && shown(OldImage), NewImage && shown(NewImage));
  }

  /** @param minimum leaves fewer due records for later, because a full transaction costs less per item */
  async function applyDue(minimum: number): Promise<void> {
    const later = waiting.findIndex(({ dueAtMs }) => dueAtMs > clock.now());
    const due = waiting.slice(0, later < 0 ? waiting.length : later).map(({ record }) => record);
    if (due.length < minimum) return;
    // Only the last of several changes of an item counts, and a transaction may name an item only once.
    const latest = new Map(due.filter(changesIndex).map((record) => [itemNameIn(record), record]));
    const writes = [...latest.values()].map(({ dynamodb: { Keys, NewImage } }) => {
      const item = NewImage && shown(NewImage);
      return item ? { Put: { TableName: name, Item: item } } : { Delete: { TableName: name, Key: Keys } };
    });
    await writeAll(client, writes);
    waiting.splice(0, due.length);
    const end = due.at(-1)?.dynamodb.SequenceNumber;
    if (end !== undefined) reader.commit(end);
  }

  const catchUp = (minimum = 1) =>
    inTurn(async () => {
      await readRecords();
      await applyDue(minimum);
    });
  /** Follows the stream. A failed step is repeated with the next write or read. */
  const follow = (minimum: number) => catchUp(minimum).catch(() => {});

  /** Applies records that no read has asked for, and finds writes without a request, such as deletions by time to live. */
  const poll = setInterval(() => {
    hasNews = true;
    notedAtMs = undefined;
    void follow(1);
  }, 1_000).unref();
  void follow(1);

  return {
    name,
    catchUp: () => catchUp(),
    noteWrite() {
      hasNews = true;
      notedAtMs = clock.now();
      void follow(transactionLimit);
    },
    async stop() {
      clearInterval(poll);
      // Otherwise the lag of these writes would begin again with the next start.
      await follow(1);
      stopping.abort();
      await last;
    },
  };
}

/** Returns a name that is the same for all records of an item. The engine gives its keys in any order. */
const itemNameIn = ({ dynamodb: { Keys } }: StreamRecord): string =>
  JSON.stringify(Object.entries(Keys).sort(([one], [other]) => (one < other ? -1 : 1)));

/**
 * Writes all items in transactions, because dynoxide commits each item of a BatchWriteItem by itself: 0.25 ms per item instead of
 * 0.09.
 */
async function writeAll(client: EngineClient, writes: readonly object[]): Promise<void> {
  let together: object[] = [];
  let bytes = 0;
  const send = async () => {
    if (together.length > 0) await client.call(`${prefix}.TransactWriteItems`, { TransactItems: together });
    [together, bytes] = [[], 0];
  };
  for (const write of writes) {
    const size = Buffer.byteLength(JSON.stringify(write));
    if (together.length === transactionLimit || bytes + size > transactionBytes) await send();
    together.push(write);
    bytes += size;
  }
  await send();
}

/** Copies the items that the table had before it had a copy. The stream may no longer show them. */
async function copyAll(
  client: EngineClient,
  from: string,
  to: string,
  shown: ReturnType<typeof shownByIndexes>,
): Promise<void> {
  let start: unknown;
  do {
    const page = await client.call(`${prefix}.Scan`, {
      TableName: from,
      Limit: transactionLimit,
      ...(start !== undefined && { ExclusiveStartKey: start }),
    });
    const items = (page['Items'] as readonly Item[]).flatMap((item) => shown(item) ?? []);
    await writeAll(
      client,
      items.map((Item) => ({ Put: { TableName: to, Item } })),
    );
    start = page['LastEvaluatedKey'];
  } while (start !== undefined);
}

/** An item as the stream and the engine give it. */
type Item = Readonly<Record<string, unknown>>;

/**
 * Returns a function that reduces an item to the attributes that the indexes together show; `undefined` if no index has it. An
 * item is in an index if it has its whole key. A value that cannot be a key counts as absent: the engine would refuse the item.
 */
export function shownByIndexes(table: Pick<TableResource, 'definition'>): (item: Item) => Item | undefined {
  const shape = shapeOf(table);
  const indexes = [...shape.indexes.values()];
  return (whole) => {
    const item = withoutInvalidKeys(whole, shape);
    const containing = indexes.filter(({ keyNames }) => keyNames.every((name) => item[name] !== undefined));
    if (containing.length === 0) return undefined;
    const shown = new Set<string>();
    for (const { projected } of containing) {
      if (!projected) return item;
      for (const name of projected) shown.add(name);
    }
    return Object.fromEntries(Object.entries(item).filter(([name]) => shown.has(name)));
  };
}

function withoutInvalidKeys(item: Item, { indexes, types }: TableShape): Item {
  const invalid = new Set<string>();
  for (const { keyNames } of indexes.values()) {
    for (const [position, name] of keyNames.entries()) {
      const value = item[name];
      if (value && problemOfIndexKey(value as AttributeValue, types.get(name), position)) invalid.add(name);
    }
  }
  if (invalid.size === 0) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !invalid.has(name)));
}
