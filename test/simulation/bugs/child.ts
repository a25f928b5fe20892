/**
 * Runs seeds in a process of its own, because the service must not be loaded before the hooks that plant bugs. Answers each
 * message, an order, with the results of its seeds.
 */

import { plantBugsInTurn } from './plant.ts';
import { type BugName, plantedBugs, scenarioWith } from './planted-bugs.ts';

/** Runs seeds with a planted bug, until one finds it. */
export interface FindOrder {
  readonly find: BugName;
  readonly first: number;
  readonly count: number;
}

export interface SeedResult {
  readonly name: BugName;
  readonly seed: number;
  readonly violation?: string | undefined;
}

/** The answer to an order. */
export type ChildAnswer = { readonly results: readonly SeedResult[] } | { readonly error: string };

type Simulate = typeof import('../simulate.ts');

const plant = plantBugsInTurn();
// The service without bugs comes first: it shows which file imports which.
await import('../simulate.ts');

async function run(
  runScenario: Simulate['runScenario'],
  name: BugName,
  seed: number,
): Promise<string | undefined> {
  const { violation } = await runScenario(scenarioWith(seed, name));
  return violation;
}

async function find({ find: name, first, count }: FindOrder): Promise<SeedResult[]> {
  const requireLoaded = plant(name);
  const { runScenario }: Simulate = await import('../simulate.ts');
  requireLoaded();
  const results: SeedResult[] = [];
  for (let seed = first; seed < first + count; seed += 1) {
    const violation = await run(runScenario, name, seed);
    results.push({ name, seed, violation });
    if (violation !== undefined && plantedBugs[name].finding.test(violation)) break;
  }
  return results;
}

process.on('disconnect', () => process.exit());
process.on('message', async (order: FindOrder) => {
  const answer: ChildAnswer = await find(order).then(
    (results) => ({ results }),
    (error) => ({ error: String(error) }),
  );
  process.send?.(answer);
});
