import type { SimulationEngine } from '../cloud/engine.ts';
import type { SimulationPlace, SimulationResult } from '../simulate.ts';

/** How many runs share the process, so that one works while another waits. More lanes are not faster. */
const laneCount = 3;

/**
 * Works a list of runs, a few at a time. Each lane has its own table, and gets a new one after a failure: otherwise the
 * sweep of the next run would find what the failed run has left.
 *
 * @param next gives the next run; `undefined` if none is left
 */
export async function inLanes<Run>(
  simulation: SimulationEngine,
  next: () => Promise<Run | undefined>,
  work: (place: SimulationPlace, run: Run) => Promise<SimulationResult>,
): Promise<void> {
  const runLane = async () => {
    let tableName = await simulation.createTable();
    for (let run = await next(); run !== undefined; run = await next()) {
      const { violation } = await work({ engine: simulation.engine, tableName }, run);
      if (violation !== undefined) tableName = await simulation.createTable();
    }
  };
  await Promise.all(Array.from({ length: laneCount }, runLane));
}
