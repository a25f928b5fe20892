import type { CommentPlatform } from '../contract/messaging.ts';
import type { Platform } from '../contract/names.ts';
import { instagramMessages } from '../instagram/messaging.ts';

const platforms: Readonly<Partial<Record<Platform, CommentPlatform>>> = { instagram: instagramMessages };

/** The platforms on which Herald offers automations. */
export const commentPlatformNames = Object.keys(platforms) as readonly Platform[];

/** Returns the platform's comments and messages; undefined if Herald offers no automations on the platform. */
export function commentPlatformFor(platform: Platform): CommentPlatform | undefined {
  return platforms[platform];
}
