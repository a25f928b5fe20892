import type { Platform } from '../../platforms/contract/names.ts';

/** The platforms' names as people write them, in the order in which they are offered. */
export const platformTitles: Readonly<Record<Platform, string>> = {
  instagram: 'Instagram',
  facebook: 'Facebook',
  threads: 'Threads',
  tiktok: 'TikTok',
  youtube: 'YouTube',
  linkedin: 'LinkedIn',
  pinterest: 'Pinterest',
};

export const platforms = Object.keys(platformTitles) as readonly Platform[];

/** Reads a platform from a URL or from storage, which may have any text. */
export const platformOf = (text: unknown): Platform | undefined => platforms.find((each) => each === text);
