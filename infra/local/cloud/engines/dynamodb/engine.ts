/** Starts DynamoDB: the engine's process, the template's tables and their streams. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TimerClock } from '../../clock.ts';
import type { CloudModel } from '../../model.ts';
import { openDatabase, unusableFile } from '../database.ts';
import type { BufferedService } from '../service.ts';
import type { TokenBucket } from '../token-bucket.ts';
import type { ConsumedCapacity, DatabaseTiming } from '../types.ts';
import { committingBatches } from './batch-commits.ts';
import { findEngineProgram, startEngineProcess } from './engine-program.ts';
import { type IndexCopy, indexCopyConsumer, startIndexCopy } from './index-lag.ts';
import { metered } from './metering.ts';
import { nameOf } from './request-parts.ts';
import { createDynamodbService } from './service.ts';
import { openStreamPositions } from './stream-positions.ts';
import { createTableStream, type TableStream } from './table-stream.ts';
import { deployTable, describeTable, withoutIndexes } from './tables.ts';

export interface DynamodbEngine {
  readonly service: BufferedService;
  /** @param streamArn the stream's ARN in the model. @throws Error if no table has this stream. */
  stream(streamArn: string): TableStream;
  stop(): Promise<void>;
}

export interface DynamodbOptions {
  readonly clock: TimerClock;
  /** Read at each request, because it may change. */
  readonly timing: DatabaseTiming;
  readonly bucket?: TokenBucket | undefined;
  readonly onConsumedCapacity?: ((consumed: ConsumedCapacity) => void) | undefined;
}

/**
 * @throws Error if no engine is installed, if it does not start, or if a table's key has changed. What has been started is
 *   stopped first.
 */
export async function startDynamodb(
  model: Pick<CloudModel, 'region' | 'accountId' | 'tables'>,
  dataDirectory: string,
  options: DynamodbOptions,
): Promise<DynamodbEngine> {
  const closers: (() => unknown)[] = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    return { ...(await openDynamodb(model, dataDirectory, options, closers)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openDynamodb(
  model: Pick<CloudModel, 'region' | 'accountId' | 'tables'>,
  dataDirectory: string,
  { clock, timing, bucket, onConsumedCapacity }: DynamodbOptions,
  closers: (() => unknown)[],
): Promise<Omit<DynamodbEngine, 'stop'>> {
  const { region, tables } = model;
  mkdirSync(dataDirectory, { recursive: true });
  const program = findEngineProgram(dataDirectory);
  const positions = openStreamPositions(join(dataDirectory, 'stream-positions.sqlite'));
  closers.push(() => positions.close());
  const engineProcess = await startEngineProcess(program).catch((error: Error) => {
    throw unusableFile(program.dynoxideFile ?? dataDirectory, error.message);
  });
  closers.push(() => engineProcess.stop());
  const { client } = engineProcess;
  const streams = new Map<string, TableStream>();
  const read: ReadStream[] = [];
  const copies = new Map<string, IndexCopy>();
  for (const table of tables) {
    // A copy needs the new items, which not every stream has.
    const hasCopy = table.streamViewType?.startsWith('NEW_') === true;
    // The copy serves the indexes. In the table they are needed only to tell what writes consume.
    await deployTable(client, hasCopy && !onConsumedCapacity ? withoutIndexes(table) : table);
    const engineStreamArn = (await describeTable(client, table.name))?.LatestStreamArn;
    if (engineStreamArn === undefined) continue;
    const stream = createTableStream({ client, positions, table, engineStreamArn, region });
    streams.set(table.streamArn, stream);
    closers.push(() => stream.stop());
    if (hasCopy) {
      const copy = await startIndexCopy({
        client,
        table,
        reader: stream.reader(indexCopyConsumer),
        hasPosition: positions.get(engineStreamArn, indexCopyConsumer) !== undefined,
        clock,
        lagMs: () => timing.indexLagMs,
      });
      copies.set(table.name, copy);
      closers.push(() => copy.stop());
    }
    const doneThrough = positions.lowest(engineStreamArn);
    if (doneThrough !== undefined) read.push({ tableName: table.name, doneThrough });
  }
  if (program.dynoxideFile !== undefined) maintainStreamRecords(program.dynoxideFile, read, Date.now());

  const streamOfTable = new Map(tables.map((table) => [table.name, streams.get(table.streamArn)]));
  return {
    service: createDynamodbService({
      client: onConsumedCapacity ? metered(client, onConsumedCapacity) : committingBatches(client),
      place: model,
      bucket,
      transactionHoldMs: () => timing.transactionHoldMs,
      indexCopy: (name) => copies.get(name),
      metersCapacity: onConsumedCapacity !== undefined,
      onWrite: (names) => {
        for (const name of new Set(names.map(nameOf))) {
          // First, so that the copy does not take an earlier look at the stream for enough.
          streamOfTable.get(name)?.nudge();
          copies.get(name)?.noteWrite();
        }
      },
    }),
    stream(streamArn) {
      const stream = streams.get(streamArn);
      if (!stream) throw new Error(`There is no stream ${streamArn}`);
      return stream;
    },
  };
}

interface ReadStream {
  readonly tableName: string;
  /** The sequence number up to which every consumer has committed. */
  readonly doneThrough: bigint;
}

/**
 * Maintains dynoxide's database file, because dynoxide 1.2 lacks an index and never deletes stream records.
 *
 * Adds an index on the stream records. Without it each write scans all of them: with 15,000 records a write takes 4 ms
 * instead of 0.5 ms. Then deletes committed records that are more than a day old, as DynamoDB does. The newest record
 * of a table stays, because dynoxide derives the next sequence number from it.
 *
 * @param nowMs real time in epoch milliseconds, because dynoxide dates its records with it.
 */
function maintainStreamRecords(file: string, streams: readonly ReadStream[], nowMs: number): void {
  const { connection, close } = openDatabase(
    file,
    'CREATE INDEX IF NOT EXISTS stream_records_by_number ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
  );
  const trim = connection.prepare(`
    DELETE FROM _stream_records
    WHERE table_name = :tableName AND CAST(sequence_number AS INTEGER) <= :doneThrough AND created_at < :before
      AND id < (SELECT max(id) FROM _stream_records WHERE table_name = :tableName)`);
  const before = Math.floor(nowMs / 1000) - 24 * 60 * 60;
  for (const { tableName, doneThrough } of streams) trim.run({ tableName, doneThrough, before });
  close();
}
