import type { Platform } from '../contract/names.ts';
import type { RemovalWay } from '../contract/removal.ts';

/**
 * The ways by platform, as the platforms' documents said in November 2026:
 *
 * - Facebook: `DELETE /<POST_ID>` ("Pages API, Posts", updated 17 April 2026). "Page Stories" names no deletion.
 * - Instagram: media can be deleted on accounts of Facebook Login only ("IG Media", updated 22 June 2026); Herald uses Instagram Login.
 * - LinkedIn: `DELETE /rest/posts/{urn}`, idempotent ("Posts API").
 * - Pinterest: `DELETE /v5/pins/{id}` (OpenAPI document 5.23.0).
 * - Threads: `DELETE /<MEDIA_ID>`, with `threads_delete`, 100 a day ("Delete Posts").
 * - TikTok: the Content Posting API has no such call.
 * - YouTube: `videos.delete`, 50 units, with `youtube.force-ssl` (discovery document).
 */
const ways: Readonly<Record<Platform, RemovalWay>> = {
  facebook: { by: 'service', feature: 'publish' },
  instagram: { by: 'person', why: 'Instagram lets no app delete posts' },
  linkedin: { by: 'service', feature: 'publish' },
  pinterest: { by: 'service', feature: 'publish' },
  threads: { by: 'service', feature: 'removal' },
  tiktok: { by: 'person', why: 'TikTok lets no app delete posts' },
  youtube: { by: 'service', feature: 'removal' },
};

const facebookStory: RemovalWay = { by: 'person', why: 'Facebook lets no app delete stories' };

/** Returns the way to delete a live post of a destination with these options. Pure. */
export function removalWay(platform: Platform, options: Readonly<Record<string, unknown>>): RemovalWay {
  const { contentType = options['type'] } = options;
  return platform === 'facebook' && contentType === 'story' ? facebookStory : ways[platform];
}
