import type { Database } from '../../support/database/database.ts';
import { createMemoryDatabase } from '../../support/database/memory.ts';

export interface SimulationEngine {
  readonly engine: Database;
  /** The name of a table that no other run uses. The run creates and deletes it. */
  createTable(): Promise<string>;
  stop(): Promise<void>;
}

/** Opens a database in memory. */
export async function startSimulationEngine(): Promise<SimulationEngine> {
  let count = 0;
  return {
    engine: createMemoryDatabase(),
    async createTable() {
      count += 1;
      return `simulation-${count}`;
    },
    stop: async () => undefined,
  };
}
