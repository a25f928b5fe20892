import { expect, it } from 'vitest';
import { runSeeds, type SeedReport } from './command/run-seeds.ts';

/** A sample: `npm run simulate` runs as many as you like. */
const seeds = { from: 1, count: 20, workers: 1 };

it('violates no check in 20 generated histories', { timeout: 180_000 }, async () => {
  const reports: SeedReport[] = [];
  await runSeeds(seeds, (report) => reports.push(report));
  expect(reports.filter(({ violation }) => violation !== undefined)).toEqual([]);
  expect(reports).toHaveLength(seeds.count);
  // A simulation in which few posts go live proves little.
  expect(reports.reduce((sum, { live }) => sum + live, 0)).toBeGreaterThan(2 * seeds.count);
});
