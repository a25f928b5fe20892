import type { Account } from './names.ts';

/** The platforms' names as people write them. */
const titles: Readonly<Record<Account['platform'], string>> = {
  instagram: 'Instagram',
  facebook: 'Facebook',
  threads: 'Threads',
  youtube: 'YouTube',
  pinterest: 'Pinterest',
  tiktok: 'TikTok',
  linkedin: 'LinkedIn',
};

export const platformTitle = (platform: Account['platform']): string => titles[platform];
