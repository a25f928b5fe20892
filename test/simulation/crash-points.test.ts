import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crashWorlds, mishapKinds, runCrashPoints } from './crash-points.ts';
import { type SimulationEngine, startSimulationEngine } from './engine.ts';

/** `npm run simulate -- --crash-points` runs them all. */
const step = 12;

let simulation: SimulationEngine;

beforeAll(async () => {
  simulation = await startSimulationEngine();
});
afterAll(() => simulation.stop());

describe.each(Object.entries(crashWorlds))('if %s', (_name, faults) => {
  it.each(mishapKinds)(
    'a process that %s an external call (a sample of them) leaves each target live once, and one follow-up',
    async (kind) => {
      const { callCount, failures } = await runCrashPoints(simulation, faults, kind, { step });
      expect(failures).toEqual([]);
      expect(callCount).toBeGreaterThan(60);
    },
  );
});
