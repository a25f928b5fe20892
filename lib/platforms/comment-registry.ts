import { instagramMessages } from './instagram/messaging.ts';
import type { CommentPlatform } from './messaging.ts';
import type { Platform } from './names.ts';

const platforms: Readonly<Partial<Record<Platform, CommentPlatform>>> = { instagram: instagramMessages };

/** The platform's comments and messages; undefined where automations are not offered. */
export function commentPlatformFor(platform: Platform): CommentPlatform | undefined {
  return platforms[platform];
}
