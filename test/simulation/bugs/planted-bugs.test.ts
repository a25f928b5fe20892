import { describe, expect, it } from 'vitest';
import { sourcesWith } from './plant.ts';
import { bugNames } from './planted-bugs.ts';
import { testPlantedBugs } from './test-planted-bugs.ts';

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
    expect(sourcesWith(name).size).toBeGreaterThan(0);
  });
});
