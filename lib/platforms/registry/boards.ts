import type { BoardPlatform } from '../contract/boards.ts';
import type { Platform } from '../contract/names.ts';
import { pinterestBoards } from '../pinterest/boards.ts';

const platforms: Readonly<Partial<Record<Platform, BoardPlatform>>> = { pinterest: pinterestBoards };

/** A platform's boards; undefined if its posts belong to none. */
export function boardPlatformFor(platform: Platform): BoardPlatform | undefined {
  return platforms[platform];
}
