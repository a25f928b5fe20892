import type { SimulationEngine } from './engine.ts';
import type { SimulationPlace, SimulationResult } from './simulate.ts';

/** Runs side by side so that neither waits for the other; more than this gains nothing. */
const laneCount = 3;

/**
 * Works a list of runs, a few at a time. Each lane has a table that no other writes to, and a new one after a failure:
 * what that left behind would be found by the next run's sweep.
 *
 * @param next the next item; undefined where there is none left
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
