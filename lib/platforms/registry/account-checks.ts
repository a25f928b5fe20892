import type { AccountCheck } from '../contract/account-check.ts';
import type { Platform } from '../contract/names.ts';
import { type Loaders, loadPart } from './load-part.ts';

const checks: Loaders<AccountCheck> = {
  facebook: async () => (await import('../facebook/account-check.ts')).facebookAccountCheck,
  instagram: async () => (await import('../instagram/account-check.ts')).instagramAccountCheck,
  linkedin: async () => (await import('../linkedin/account-check.ts')).linkedinAccountCheck,
  pinterest: async () => (await import('../pinterest/account-check.ts')).pinterestAccountCheck,
  threads: async () => (await import('../threads/account-check.ts')).threadsAccountCheck,
  tiktok: async () => (await import('../tiktok/account-check.ts')).tiktokAccountCheck,
  youtube: async () => (await import('../youtube/account-check.ts')).youtubeAccountCheck,
};

/** Loads a platform's question about an account ahead of its posts; undefined for a platform without one. */
export function accountCheckFor(platform: Platform): Promise<AccountCheck> | undefined {
  return loadPart(checks, platform);
}
