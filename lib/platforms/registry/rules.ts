import type { Platform } from '../contract/names.ts';
import type { PlatformRules } from '../contract/rules.ts';
import { type Loaders, loadPart } from './load-part.ts';

const rules: Loaders<PlatformRules> = {
  facebook: async () => (await import('../facebook/rules.ts')).facebookRules,
  instagram: async () => (await import('../instagram/rules.ts')).instagramRules,
  linkedin: async () => (await import('../linkedin/rules.ts')).linkedinRules,
  pinterest: async () => (await import('../pinterest/rules.ts')).pinterestRules,
  threads: async () => (await import('../threads/rules.ts')).threadsRules,
  tiktok: async () => (await import('../tiktok/rules.ts')).tiktokRules,
  youtube: async () => (await import('../youtube/rules.ts')).youtubeRules,
};

/** Returns true if a platform has rules. Loads nothing. */
export const hasRules = (platform: Platform): boolean => platform in rules;

/** Loads a platform's rules, without its adapter; undefined for a platform without rules. */
export function rulesFor(platform: Platform): Promise<PlatformRules> | undefined {
  return loadPart(rules, platform);
}
