/** A process of a run. Reports each seed that it is sent. An argument is the name of a bug to plant. */
import { type BugName, scenarioWith } from '../bugs/planted-bugs.ts';
import type { SeedReport } from './run-seeds.ts';
import { loadSimulation } from './scenario.ts';

const bug = process.argv[2] as BugName | undefined;
const loading = loadSimulation(bug);

process.on('message', async (seed: number) => {
  const { runScenario } = await loading;
  const { violation, calls, ledger } = await runScenario(scenarioWith(seed, bug));
  const report: SeedReport = { seed, violation, calls, live: ledger.length };
  process.send?.(report);
});
// Without its parent, the process has nothing to do.
process.on('disconnect', () => process.exit());
