/**
 * Runs seeds with a planted bug until one violates a check, and prints what every seed led to, as a line of JSON.
 *
 * Arguments: the name of the bug, or `none`, then the seeds: `1,2,3` or `1-30`.
 */

import { plant } from './plant.ts';
import { type BugName, plantedBugs } from './planted-bugs.ts';

const [name = '', seeds = ''] = process.argv.slice(2);

const check = name === 'none' ? undefined : plant(plantedBugs[name as BugName].patches);
// Imported only now, because the bug must be planted before the service is loaded.
const { startSimulationEngine } = await import('../cloud/engine.ts');
const { runSeed } = await import('../simulate.ts');

const simulation = await startSimulationEngine();
for (const seed of seedsOf(seeds)) {
  const place = { engine: simulation.engine, tableName: `seed-${seed}` };
  const { violation } = await runSeed(place, seed);
  console.log(JSON.stringify({ seed, violation }));
  if (violation !== undefined && name !== 'none' && plantedBugs[name as BugName].finding.test(violation))
    break;
}
await simulation.stop();
check?.();

function seedsOf(text: string): number[] {
  const [from, to] = text.split('-').map(Number);
  if (from === undefined || to === undefined) return text.split(',').map(Number);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
