import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngineProcess } from '../../../infra/local/cloud/engines/dynamodb/engine-process.ts';
import { findEngineProgram } from '../../../infra/local/cloud/engines/dynamodb/engine-program.ts';
import { tableDefinition } from '../../support/table-definition.ts';
import { type EngineTable, openEngineTable } from './engine-table.ts';

export interface SimulationEngine {
  readonly engine: EngineTable;
  /** Creates an empty table and returns its name. */
  createTable(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts a separate database engine, in memory if the engine can: nobody needs the data of a simulation later. */
export async function startSimulationEngine(): Promise<SimulationEngine> {
  const directory = await mkdtemp(join(tmpdir(), 'simulation-'));
  const program = findEngineProgram(directory);
  const inMemory = (port: number) => ['--host', '127.0.0.1', '--port', String(port)];
  const { client, stop } = await startEngineProcess(
    program.dynoxideFile === undefined ? program : { ...program, arguments: inMemory },
  );
  const engine = openEngineTable(client);
  let count = 0;
  return {
    engine,
    async createTable() {
      count += 1;
      const name = `simulation-${count}`;
      await engine.request('CreateTable', { ...tableDefinition(name) });
      return name;
    },
    async stop() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
