import type { PlatformNumbers } from '../contract/insights.ts';
import type { Platform } from '../contract/names.ts';
import { facebookNumbers } from '../facebook/numbers.ts';
import { instagramNumbers } from '../instagram/numbers.ts';
import { linkedinNumbers } from '../linkedin/numbers.ts';
import { pinterestNumbers } from '../pinterest/numbers.ts';
import { threadsNumbers } from '../threads/numbers.ts';
import { tiktokNumbers } from '../tiktok/numbers.ts';
import { youtubeNumbers } from '../youtube/numbers.ts';

const numbers: Readonly<Record<Platform, PlatformNumbers>> = {
  facebook: facebookNumbers,
  instagram: instagramNumbers,
  linkedin: linkedinNumbers,
  pinterest: pinterestNumbers,
  threads: threadsNumbers,
  tiktok: tiktokNumbers,
  youtube: youtubeNumbers,
};

/** Returns what a platform counts. */
export const numbersOf = (platform: Platform): PlatformNumbers => numbers[platform];

/** The options of a post that make it a story, on the platforms that have stories. */
const storyPlatforms: readonly Platform[] = ['facebook', 'instagram'];

/** Returns true for options that ask for a story. */
export function isStory(platform: Platform, options: Readonly<Record<string, unknown>>): boolean {
  return storyPlatforms.includes(platform) && (options['contentType'] ?? options['type']) === 'story';
}
