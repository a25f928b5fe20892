import { expect, it } from 'vitest';
import { runSeed } from './simulate.ts';

/** A sample: `npm run simulate` runs as many as you like. */
const seeds = Array.from({ length: 8 }, (_, index) => index + 1);

it('violates no check in 8 generated histories', async () => {
  let livePosts = 0;
  for (const seed of seeds) {
    const { violation, ledger } = await runSeed(seed);
    expect(violation, `seed ${seed}`).toBeUndefined();
    livePosts += ledger.length;
  }
  // A simulation in which few posts go live proves little.
  expect(livePosts).toBeGreaterThan(2 * seeds.length);
});
