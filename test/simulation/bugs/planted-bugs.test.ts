import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SimulationEngine, startSimulationEngine } from './engine.ts';
import { plantedBugs } from './planted-bugs.ts';
import { runSeed } from './simulate.ts';

let simulation: SimulationEngine;

beforeAll(async () => {
  simulation = await startSimulationEngine();
});
afterAll(() => simulation.stop());

/** The search starts shortly before the seed that last found the bug. Changes of the engine move that seed. */
const findings: readonly (readonly [bug: keyof typeof plantedBugs, firstSeed: number, finding: RegExp])[] = [
  ['no intent is written before the last call', 1, /went live without an intent/],
  ['an unknown outcome is retried without a lookup', 10, /went live twice/],
  ['silence counts as proof of absence', 1, /went live twice/],
  ['a worker that has lost its lease keeps writing', 110, /written by a worker that had lost its lease/],
  ['an adapter forgets the permalink of a live post', 1, /a target must not go from published to publishing/],
  ['every run of a chain step creates a post', 45, /has 1 steps and became 2 posts/],
];

const maxSeeds = 500;

it.each(findings)('finds the planted bug: %s', { timeout: 120_000 }, async (name, firstSeed, finding) => {
  const tableName = await simulation.createTable();
  for (let seed = firstSeed; seed < firstSeed + maxSeeds; seed += 1) {
    const { violation } = await runSeed({ engine: simulation.engine, tableName }, seed, {
      bug: plantedBugs[name],
    });
    if (violation === undefined) continue;
    expect(violation).toMatch(finding);
    return;
  }
  expect.fail(`not found in ${maxSeeds} seeds`);
});
