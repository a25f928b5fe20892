import { testOutages } from './test-outages.ts';

/** A sample, one of each effect on the work: the deep run has all. */
testOutages([
  [3, 'table'],
  [3, 'queue'],
  [3, 'scheduler'],
  [3, 'stream'],
  [1, 'platforms'],
  [3, 'scheduler', 'stream'],
]);
