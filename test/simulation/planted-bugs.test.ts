import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SimulationEngine, startSimulationEngine } from './engine.ts';
import { plantedBugs } from './planted-bugs.ts';
import { runSeed } from './simulate.ts';

let simulation: SimulationEngine;

beforeAll(async () => {
  simulation = await startSimulationEngine();
});
afterAll(() => simulation.stop());

const findings: readonly (readonly [bug: keyof typeof plantedBugs, mostSeeds: number, finding: RegExp])[] = [
  ['no intent is written before the last call', 20, /went live without an intent/],
  ['an unknown outcome is tried again without a question', 100, /went live twice/],
  ['a worker that lost its lease goes on writing', 600, /written by a worker that had lost its lease/],
  ['everyone who is told of a chain step makes a post of it', 500, /has 1 steps and became 2 posts/],
];

it.each(findings)('finds the planted bug: %s', { timeout: 120_000 }, async (name, mostSeeds, finding) => {
  const tableName = await simulation.createTable();
  for (let seed = 1; seed <= mostSeeds; seed += 1) {
    const { violation } = await runSeed({ engine: simulation.engine, tableName }, seed, {
      bug: plantedBugs[name],
    });
    if (violation === undefined) continue;
    expect(violation).toMatch(finding);
    return;
  }
  expect.fail(`not found in ${mostSeeds} seeds`);
});
