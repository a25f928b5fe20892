import type { PlatformAdapter } from '../contract/adapter.ts';
import type { Platform } from '../contract/names.ts';
import { facebookAdapter } from '../facebook/adapter.ts';
import { instagramAdapter } from '../instagram/adapter.ts';
import { linkedinAdapter } from '../linkedin/adapter.ts';
import { pinterestAdapter } from '../pinterest/adapter.ts';
import { threadsAdapter } from '../threads/adapter.ts';
import { tiktokAdapter } from '../tiktok/adapter.ts';
import { youtubeAdapter } from '../youtube/adapter.ts';

const adapters: Readonly<Partial<Record<Platform, PlatformAdapter>>> = {
  facebook: facebookAdapter,
  instagram: instagramAdapter,
  linkedin: linkedinAdapter,
  pinterest: pinterestAdapter,
  threads: threadsAdapter,
  tiktok: tiktokAdapter,
  youtube: youtubeAdapter,
};

/** A platform's adapter; undefined for a platform without one. */
export function adapterFor(platform: Platform): PlatformAdapter | undefined {
  return adapters[platform];
}
