import { runSeed } from './simulate.ts';
import type { StoryEntry } from './story.ts';

/** The story of a run of a seed. */
export async function storyOf(seed: number): Promise<StoryEntry[]> {
  const story: StoryEntry[] = [];
  await runSeed(seed, { trace: (entry) => story.push(entry) });
  return story;
}
