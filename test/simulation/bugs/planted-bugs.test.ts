import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sourcesWith } from './plant.ts';
import { bugNames, plantedBugs } from './planted-bugs.ts';
import { testPlantedBugs } from './test-planted-bugs.ts';
import { testedBugs } from './tested-bugs.ts';

const root = join(import.meta.dirname, '../../..');

/** A sample: the deep run has all. */
testPlantedBugs({
  bugs: [
    'a worker never renews its lease',
    'a call without an answer counts as refused',
    'a retried target is not in the index of overdue work',
  ],
  mostSeeds: 10,
  processes: 1,
});

describe('the place of a planted bug', () => {
  it.each(bugNames)('is in the source exactly once: %s', (name) => {
    expect(sourcesWith(plantedBugs[name].patches).size).toBeGreaterThan(0);
  });
});

/** The deep run plants each of them and runs its test. */
describe('a bug that a named test finds', () => {
  it.each(Object.entries(testedBugs))('has its place in the source, and its test: %s', (_name, bug) => {
    expect(sourcesWith(bug.patches).size).toBeGreaterThan(0);
    const [file, test] = bug.caughtBy;
    expect(readFileSync(join(root, file), 'utf8')).toContain(test);
  });
});
