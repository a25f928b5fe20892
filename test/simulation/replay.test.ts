import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SimulationEngine, startSimulationEngine } from './cloud/engine.ts';
import { runSeed } from './simulate.ts';

let simulation: SimulationEngine;

beforeAll(async () => {
  simulation = await startSimulationEngine();
});
afterAll(() => simulation.stop());

describe('a seed', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('%i gives the same calls in every run', async (seed) => {
    const trace = async () => {
      const lines: string[] = [];
      const tableName = await simulation.createTable();
      await runSeed({ engine: simulation.engine, tableName }, seed, { trace: (line) => lines.push(line) });
      return lines;
    };
    expect(await trace()).toEqual(await trace());
  });
});
