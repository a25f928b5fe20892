/** A process of a run. Reports each seed that it is sent, and at the end what it has not entered. An argument is the name of a bug to plant. */
import { type BugName, scenarioWith } from '../bugs/planted-bugs.ts';
import { watchEntries } from './coverage.ts';
import type { EntryReport, SeedReport } from './run-seeds.ts';
import { loadSimulation } from './scenario.ts';

const bug = process.argv[2] as BugName | undefined;
const watching = watchEntries();
const loading = watching.then(() => loadSimulation(bug));

process.on('message', async (seed: number | 'end') => {
  const { runScenario } = await loading;
  if (seed === 'end') {
    const report: EntryReport = { unentered: await (await watching)() };
    process.send?.(report);
    return;
  }
  const { violation, calls, ledger } = await runScenario(scenarioWith(seed, bug));
  const report: SeedReport = { seed, violation, calls, live: ledger.length };
  process.send?.(report);
});
// Without its parent, the process has nothing to do.
process.on('disconnect', () => process.exit());
