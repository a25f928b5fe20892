import { describe, expect, it } from 'vitest';
import { crashWorlds, mishapKinds, runCrashPoints } from './crash-points.ts';

/** The distance between the calls of the sample: `npm run simulate -- --crash-points` tests every call. */
const step = 401;

describe.each(Object.entries(crashWorlds))('if %s', (_name, world) => {
  it.each(mishapKinds)(
    'a process that %s any external call leaves each target live once or, rarely, of unknown outcome, and one follow-up',
    { timeout: 180_000 },
    async (kind) => {
      const { callCount, failures } = await runCrashPoints(world, kind, { step });
      expect(failures).toEqual([]);
      expect(callCount).toBeGreaterThan(200);
    },
  );
});
