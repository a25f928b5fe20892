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
