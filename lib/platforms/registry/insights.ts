import type { PlatformInsights } from '../contract/insights.ts';
import type { Platform } from '../contract/names.ts';
import { type Loaders, loadPart } from './load-part.ts';

const readers = {
  facebook: async () => (await import('../facebook/insights.ts')).facebookInsights,
  instagram: async () => (await import('../instagram/insights.ts')).instagramInsights,
  linkedin: async () => (await import('../linkedin/insights.ts')).linkedinInsights,
  pinterest: async () => (await import('../pinterest/insights.ts')).pinterestInsights,
  threads: async () => (await import('../threads/insights.ts')).threadsInsights,
  tiktok: async () => (await import('../tiktok/insights.ts')).tiktokInsights,
  youtube: async () => (await import('../youtube/insights.ts')).youtubeInsights,
} as const satisfies Loaders<PlatformInsights>;

/** Loads a platform's reader of numbers. */
export function insightsFor(platform: Platform): Promise<PlatformInsights> {
  const loading = loadPart<PlatformInsights>(readers, platform);
  if (loading === undefined) throw new Error(`${platform} has no numbers`);
  return loading;
}
