import type { CommentPlatform } from '../contract/messaging.ts';
import type { Platform } from '../contract/names.ts';
import { instagramMessages } from '../instagram/messaging.ts';

const platforms: Readonly<Partial<Record<Platform, CommentPlatform>>> = { instagram: instagramMessages };

/** The platform's comments and messages; undefined where automations are not offered. */
export function commentPlatformFor(platform: Platform): CommentPlatform | undefined {
  return platforms[platform];
}
