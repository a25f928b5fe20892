/** Starts DynamoDB: the engine's process, the template's tables and their streams. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CloudModel } from '../../model.ts';
import type { BufferedService } from '../service.ts';
import type { ConsumedCapacity } from '../types.ts';
import { maintainStreamRecords, type ReadStream } from './dynoxide-upkeep.ts';
import { startEngineProcess } from './engine-process.ts';
import { findEngineProgram } from './engine-program.ts';
import { metered } from './metering.ts';
import { createDynamodbService } from './service.ts';
import { openStreamPositions } from './stream-positions.ts';
import { createTableStream, type TableStream } from './table-stream.ts';
import { deployTable, describeTable } from './tables.ts';

export interface DynamodbEngine {
  readonly service: BufferedService;
  /** @param streamArn the stream's ARN in the model. @throws Error if no table has this stream. */
  stream(streamArn: string): TableStream;
  stop(): Promise<void>;
}

/** @throws Error if no engine is installed, if it does not start, or if a table's key has changed. */
export async function startDynamodb(
  model: Pick<CloudModel, 'region' | 'accountId' | 'tables'>,
  dataDirectory: string,
  onConsumedCapacity?: (consumed: ConsumedCapacity) => void,
): Promise<DynamodbEngine> {
  const { region, tables } = model;
  mkdirSync(dataDirectory, { recursive: true });
  const program = findEngineProgram(dataDirectory);
  const engineProcess = await startEngineProcess(program);
  const { client } = engineProcess;
  const positions = openStreamPositions(join(dataDirectory, 'stream-positions.sqlite'));
  const streams = new Map<string, TableStream>();
  const read: ReadStream[] = [];
  for (const table of tables) {
    await deployTable(client, table);
    const engineStreamArn = (await describeTable(client, table.name))?.LatestStreamArn;
    if (engineStreamArn === undefined) continue;
    streams.set(table.streamArn, createTableStream({ client, positions, table, engineStreamArn, region }));
    const doneThrough = positions.lowest(engineStreamArn);
    if (doneThrough !== undefined) read.push({ tableName: table.name, doneThrough });
  }
  if (program.dynoxideFile !== undefined) maintainStreamRecords(program.dynoxideFile, read, Date.now());

  const streamOfTable = new Map(tables.map((table) => [table.name, streams.get(table.streamArn)]));
  return {
    service: createDynamodbService({
      client: onConsumedCapacity ? metered(client, onConsumedCapacity) : client,
      place: model,
      onWrite: (names) => {
        for (const name of names) streamOfTable.get(name.split('/').at(-1) ?? name)?.nudge();
      },
    }),
    stream(streamArn) {
      const stream = streams.get(streamArn);
      if (!stream) throw new Error(`There is no stream ${streamArn}`);
      return stream;
    },
    async stop() {
      for (const stream of streams.values()) stream.stop();
      await engineProcess.stop();
      positions.close();
    },
  };
}
