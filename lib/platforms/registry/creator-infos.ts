import type { ReadCreatorInfo } from '../contract/creator-info.ts';
import type { Platform } from '../contract/names.ts';
import { tiktokClient } from '../tiktok/client.ts';

const readers: Readonly<Partial<Record<Platform, ReadCreatorInfo>>> = {
  tiktok: (accessToken, tools) => tiktokClient({ accessToken }, tools).creator(),
};

/** Returns the reader of the platform's creator info; undefined for a platform without creator info. */
export function creatorInfoReaderFor(platform: Platform): ReadCreatorInfo | undefined {
  return readers[platform];
}
