import { createDatabase } from './database/database.ts';
import type { EngineTable } from './engine-table.ts';

export interface SimulationEngine {
  readonly engine: EngineTable;
  /** The name of a table that no other run uses. The run creates and deletes it. */
  createTable(): Promise<string>;
  stop(): Promise<void>;
}

/** Opens a database in memory. */
export async function startSimulationEngine(): Promise<SimulationEngine> {
  let count = 0;
  return {
    engine: createDatabase(),
    async createTable() {
      count += 1;
      return `simulation-${count}`;
    },
    stop: async () => undefined,
  };
}
