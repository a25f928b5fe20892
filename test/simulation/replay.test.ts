import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SimulationEngine, startSimulationEngine } from './cloud/engine.ts';
import { runSeed } from './simulate.ts';
import type { StoryEntry } from './story.ts';

let simulation: SimulationEngine;

beforeAll(async () => {
  simulation = await startSimulationEngine();
});
afterAll(() => simulation.stop());

/** Two runs of a seed use tables of the same name, because the name is part of the story. */
async function storyOf(seed: number): Promise<StoryEntry[]> {
  const story: StoryEntry[] = [];
  const place = { engine: simulation.engine, tableName: `replay-${seed}` };
  await runSeed(place, seed, { trace: (entry) => story.push(entry) });
  return story;
}

describe('a seed', () => {
  it.each([1, 3, 5, 7])(
    '%i gives the same story in every run, with the same ids',
    { timeout: 180_000 },
    async (seed) => {
      const first = await storyOf(seed);
      expect(await storyOf(seed)).toEqual(first);
      expect(first.length).toBeGreaterThan(100);
    },
  );

  it('gives the same story while others run in the same process', async () => {
    const alone = await storyOf(3);
    const [together] = await Promise.all([storyOf(3), storyOf(1), storyOf(4)]);
    expect(together).toEqual(alone);
  });
});
