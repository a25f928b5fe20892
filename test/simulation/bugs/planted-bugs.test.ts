import { testPlantedBugs } from './test-planted-bugs.ts';

/** A sample, one of each kind: the deep run has all. */
testPlantedBugs({
  bugs: [
    'a worker never renews its lease',
    'a call without an answer counts as refused',
    'the relay forgets a roll-up that has failed',
    'a retried target is not in the index of overdue work',
    'a write whose response was lost counts as refused',
  ],
  mostSeeds: 10,
  processes: 1,
});
