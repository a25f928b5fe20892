/**
 * A process of a long run, with its own database engine. Asks its parent for seeds, and reports each. An argument is the
 * name of a bug to plant.
 */

import { plantBug } from '../bugs/plant.ts';
import { type BugName, scenarioWith } from '../bugs/planted-bugs.ts';
import type { SeedReport, WorkerMessage, WorkerOrder } from './run-seeds.ts';

const bug = process.argv[2] as BugName | undefined;
plantBug(bug);
// Imported only now, because the bug must be planted before the service is loaded.
const { startSimulationEngine } = await import('../cloud/engine.ts');
const { runScenario } = await import('../simulate.ts');
const { runEach } = await import('./run-each.ts');

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

await runEach(simulation, nextSeed, async (place, seed) => {
  const result = await runScenario(place, scenarioWith(seed, bug));
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
