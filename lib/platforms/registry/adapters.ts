import type { PlatformAdapter } from '../contract/adapter.ts';
import type { Platform } from '../contract/names.ts';
import { type Loaders, loadPart } from './load-part.ts';

const adapters: Loaders<PlatformAdapter> = {
  facebook: async () => (await import('../facebook/adapter.ts')).facebookAdapter,
  instagram: async () => (await import('../instagram/adapter.ts')).instagramAdapter,
  linkedin: async () => (await import('../linkedin/adapter.ts')).linkedinAdapter,
  pinterest: async () => (await import('../pinterest/adapter.ts')).pinterestAdapter,
  threads: async () => (await import('../threads/adapter.ts')).threadsAdapter,
  tiktok: async () => (await import('../tiktok/adapter.ts')).tiktokAdapter,
  youtube: async () => (await import('../youtube/adapter.ts')).youtubeAdapter,
};

/** Returns true if a platform has an adapter. Loads nothing. */
export const hasAdapter = (platform: Platform): boolean => platform in adapters;

/** Loads a platform's adapter; undefined for a platform without one. */
export function adapterFor(platform: Platform): Promise<PlatformAdapter> | undefined {
  return loadPart(adapters, platform);
}
