import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SimulationEngine, startSimulationEngine } from './cloud/engine.ts';
import { crashWorlds, mishapKinds, runCrashPoints } from './crash-points.ts';

/** A sample of the calls is tested here: `npm run simulate -- --crash-points` tests all. */
const steps: Readonly<Record<string, number>> = {
  'every message comes once': 4,
  'every message comes twice': 24,
};

/** The commit of the intent, and the last call. */
const mostUnknownPerTarget = 2;

let simulation: SimulationEngine;

beforeAll(async () => {
  simulation = await startSimulationEngine();
});
afterAll(() => simulation.stop());

describe.each(Object.entries(crashWorlds))('if %s', (name, faults) => {
  const step = steps[name] ?? 1;

  it.each(mishapKinds)(
    'a process that %s any external call leaves each target live once or, rarely, of unknown outcome, and one follow-up',
    async (kind) => {
      const { callCount, failures, unknownCount } = await runCrashPoints(simulation, faults, kind, { step });
      expect(failures).toEqual([]);
      expect(callCount).toBeGreaterThan(60);
      // Two of the three targets are on the platform without a guard.
      expect(unknownCount).toBeLessThanOrEqual(2 * mostUnknownPerTarget);
    },
  );
});
