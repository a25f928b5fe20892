/**
 * A process of a long run, with its own database engine. Asks its parent for seeds, and reports each. An argument is the
 * name of a bug to plant.
 */

import { plantedBugs } from '../bugs/planted-bugs.ts';
import { startSimulationEngine } from '../cloud/engine.ts';
import { runSeed } from '../simulate.ts';
import type { BugName } from './arguments.ts';
import { inLanes } from './lanes.ts';
import type { SeedReport, WorkerMessage, WorkerOrder } from './run-seeds.ts';

const bugName = process.argv[2] as BugName | undefined;
const simulation = await startSimulationEngine();
const waiting: ((seed: number | undefined) => void)[] = [];

const sendToParent = (message: WorkerMessage) => process.send?.(message);

process.on('message', ({ seed }: WorkerOrder) => waiting.shift()?.(seed));
// Without its parent, the process has nothing to do.
process.on('disconnect', () => process.exit());

const nextSeed = () =>
  new Promise<number | undefined>((resolve) => {
    waiting.push(resolve);
    sendToParent('ready');
  });

await inLanes(simulation, nextSeed, async (place, seed) => {
  const result = await runSeed(place, seed, bugName && { bug: plantedBugs[bugName] });
  const { violation, calls, ledger } = result;
  const report: SeedReport = {
    seed,
    calls,
    live: ledger.length,
    ...(violation !== undefined && { violation }),
  };
  sendToParent(report);
  return result;
});

await simulation.stop();
process.disconnect();
