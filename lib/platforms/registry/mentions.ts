import type { MentionPlatform } from '../contract/mentions.ts';
import type { Platform } from '../contract/names.ts';
import { linkedinMentions } from '../linkedin/mentions.ts';

const platforms: Readonly<Partial<Record<Platform, MentionPlatform>>> = { linkedin: linkedinMentions };

/** Returns the platform's search for mentions; undefined for a platform without one. */
export function mentionPlatformFor(platform: Platform): MentionPlatform | undefined {
  return platforms[platform];
}
