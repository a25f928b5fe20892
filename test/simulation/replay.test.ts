import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCommand } from './arguments.ts';
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

describe('the command line', () => {
  it.each([
    [[], { kind: 'run', from: 1, count: 1_000, keepGoing: false }],
    [['--seeds', '100000', '--from', '7'], { kind: 'run', from: 7, count: 100_000 }],
    [['--workers', '3', '--keep-going'], { kind: 'run', workers: 3, keepGoing: true }],
    [['--replay', '12'], { kind: 'replay', seed: 12 }],
    [['--crash-points'], { kind: 'crash points' }],
    [['--help'], { kind: 'help' }],
    [['--seeds', 'many'], { kind: 'wrong', message: '--seeds must be a whole number, not many' }],
  ])('reads %j', (line, expected) => {
    expect(parseCommand(line)).toMatchObject(expected);
  });

  it.each([[['--sedes', '3']], [['3']]])('refuses %j', (line) => {
    expect(parseCommand(line).kind).toBe('wrong');
  });
});
