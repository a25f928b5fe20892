import { expect, it } from 'vitest';
import { storyOf } from '../../simulation/story-of.ts';

it.each([3, 7, 9, 11])('seed %i gives the same story in every run', { timeout: 180_000 }, async (seed) => {
  expect(await storyOf(seed)).toEqual(await storyOf(seed));
});
