import { describe, expect, it } from 'vitest';
import { storyOf } from './story-of.ts';

describe('a seed', () => {
  it.each([5])(
    '%i gives the same story in every run, with the same ids',
    { timeout: 180_000 },
    async (seed) => {
      const first = await storyOf(seed);
      expect(await storyOf(seed)).toEqual(first);
      expect(first.length).toBeGreaterThan(100);
    },
  );

  it('gives the same story while another one runs in the same process', async () => {
    const alone = await storyOf(3);
    const [together] = await Promise.all([storyOf(3), storyOf(1)]);
    expect(together).toEqual(alone);
  });
});
