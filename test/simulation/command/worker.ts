/**
 * A process of a long run. Asks its parent for seeds, and reports each. An argument is the
 * name of a bug to plant.
 */

import { plantBug } from '../bugs/plant.ts';
import { type BugName, scenarioWith } from '../bugs/planted-bugs.ts';
import type { SeedReport, WorkerMessage, WorkerOrder } from './run-seeds.ts';

const bug = process.argv[2] as BugName | undefined;
plantBug(bug);
// Imported only now, because the bug must be planted before the service is loaded.
const { runScenario } = await import('../simulate.ts');

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

for (let seed = await nextSeed(); seed !== undefined; seed = await nextSeed()) {
  const { violation, calls, ledger } = await runScenario(scenarioWith(seed, bug));
  const report: SeedReport = {
    seed,
    calls,
    live: ledger.length,
    ...(violation !== undefined && { violation }),
  };
  sendToParent(report);
}

process.disconnect();
