import type { Platform } from '../contract/names.ts';
import type { PlatformRules } from '../contract/rules.ts';
import { facebookRules } from '../facebook/rules.ts';
import { instagramRules } from '../instagram/rules.ts';
import { linkedinRules } from '../linkedin/rules.ts';
import { pinterestRules } from '../pinterest/rules.ts';
import { threadsRules } from '../threads/rules.ts';
import { tiktokRules } from '../tiktok/rules.ts';
import { youtubeRules } from '../youtube/rules.ts';

const rules: Readonly<Partial<Record<Platform, PlatformRules>>> = {
  facebook: facebookRules,
  instagram: instagramRules,
  linkedin: linkedinRules,
  pinterest: pinterestRules,
  threads: threadsRules,
  tiktok: tiktokRules,
  youtube: youtubeRules,
};

/** A platform's rules, without loading its adapter; undefined for a platform without rules. */
export function rulesFor(platform: Platform): PlatformRules | undefined {
  return rules[platform];
}
