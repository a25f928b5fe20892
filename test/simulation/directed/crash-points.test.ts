import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SimulationEngine, startSimulationEngine } from '../cloud/engine.ts';
import { crashWorlds, mishapKinds, runCrashPoints } from './crash-points.ts';

/** A sample of the calls is tested here: `npm run simulate -- --crash-points` tests all. */
const step = 251;

let simulation: SimulationEngine;

beforeAll(async () => {
  simulation = await startSimulationEngine();
});
afterAll(() => simulation.stop());

describe.each(Object.entries(crashWorlds))('if %s', (_name, world) => {
  it.each(mishapKinds)(
    'a process that %s any external call leaves each target live once or, rarely, of unknown outcome, and one follow-up',
    { timeout: 180_000 },
    async (kind) => {
      const { callCount, failures } = await runCrashPoints(simulation, world, kind, { step });
      expect(failures).toEqual([]);
      expect(callCount).toBeGreaterThan(200);
    },
  );
});
