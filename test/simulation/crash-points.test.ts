import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countCalls, runMishap } from './crash-points.ts';
import { type SimulationEngine, startSimulationEngine } from './engine.ts';
import type { Faults } from './faults.ts';
import { inLanes } from './lanes.ts';
import type { Mishap } from './world.ts';

let simulation: SimulationEngine;

beforeAll(async () => {
  simulation = await startSimulationEngine();
});
afterAll(() => simulation.stop());

const kinds = [
  'crashes before',
  'crashes after',
  'pauses after',
] as const satisfies readonly Mishap['kind'][];
const worlds: readonly (readonly [name: string, faults: Faults])[] = [
  ['every message comes once', {}],
  ['every message comes twice', { messageTwice: 1, scheduleTwice: 1, streamTwice: 0.4 }],
];

describe.each(worlds)('if %s', (_name, faults) => {
  it.each(kinds)(
    'a process that %s any of its external calls leaves each target live once, and one follow-up',
    { timeout: 120_000 },
    async (kind) => {
      const tableName = await simulation.createTable();
      const callCount = await countCalls({ engine: simulation.engine, tableName }, faults);
      expect(callCount).toBeGreaterThan(60);
      const calls = Array.from({ length: callCount }, (_, index) => index + 1);
      const wrong: unknown[] = [];
      const nextCall = async () => calls.shift();
      await inLanes(simulation, nextCall, async (place, call) => {
        const result = await runMishap(place, faults, { call, kind });
        const statuses = result.targets.map(({ status }) => status);
        const isAllLive = result.ledger.length === 3 && statuses.every((status) => status === 'published');
        if (result.violation !== undefined || statuses.length !== 3 || !isAllLive)
          wrong.push({ call, violation: result.violation, live: result.ledger.length, statuses });
        return result;
      });
      expect(wrong).toEqual([]);
    },
  );
});
