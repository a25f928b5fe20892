import type { BoardPlatform } from '../contract/boards.ts';
import type { Platform } from '../contract/names.ts';
import { pinterestBoards } from '../pinterest/boards.ts';

const platforms: Readonly<Partial<Record<Platform, BoardPlatform>>> = { pinterest: pinterestBoards };

/** Returns a platform's boards; undefined if its posts do not belong to boards. */
export function boardPlatformFor(platform: Platform): BoardPlatform | undefined {
  return platforms[platform];
}
