/**
 * Runs seeds in a process of its own, because a bug must be planted before the service is loaded. Prints the result of
 * each as a line of JSON.
 *
 * - `find NAME FIRST COUNT` runs seeds with a planted bug, until one finds it.
 * - `pass PAIRS` runs seeds without a bug, each narrowed to what a bug needs. `PAIRS` is JSON: `[["NAME", SEED], …]`.
 */

import { plantBug } from './plant.ts';
import { type BugName, plantedBugs, scenarioWith } from './planted-bugs.ts';

const [command, ...values] = process.argv.slice(2);
const bug = command === 'find' ? (values[0] as BugName) : undefined;
const requireLoaded = plantBug(bug);
const { startSimulationEngine } = await import('../cloud/engine.ts');
const { runScenario } = await import('../simulate.ts');
const simulation = await startSimulationEngine();

/** Prints and returns the violation of a seed. */
async function run(name: BugName, seed: number): Promise<string | undefined> {
  const place = { engine: simulation.engine, tableName: `table-${bugNumber(name)}-${seed}` };
  const { violation } = await runScenario(place, scenarioWith(seed, name));
  console.log(JSON.stringify({ name, seed, violation }));
  return violation;
}

const bugNumber = (name: BugName) => Object.keys(plantedBugs).indexOf(name);

if (bug) {
  const [first, count] = values.slice(1).map(Number) as [number, number];
  for (let seed = first; seed < first + count; seed += 1) {
    const violation = await run(bug, seed);
    if (violation !== undefined && plantedBugs[bug].finding.test(violation)) break;
  }
} else {
  for (const [name, seed] of JSON.parse(values[0] ?? '[]') as [BugName, number][]) await run(name, seed);
}
await simulation.stop();
requireLoaded();
