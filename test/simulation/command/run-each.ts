import type { SimulationEngine } from '../cloud/engine.ts';
import type { SimulationPlace } from '../simulate.ts';

/**
 * Works a list of runs, one after the other: a run does not wait for anything but the processor. Each gets its own table.
 *
 * @param next gives the next run; `undefined` if none is left
 */
export async function runEach<Run>(
  simulation: SimulationEngine,
  next: () => Promise<Run | undefined>,
  work: (place: SimulationPlace, run: Run) => Promise<unknown>,
): Promise<void> {
  for (let run = await next(); run !== undefined; run = await next())
    await work({ engine: simulation.engine, tableName: await simulation.createTable() }, run);
}
