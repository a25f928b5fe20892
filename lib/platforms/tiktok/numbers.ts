import type { PlatformNumbers } from '../contract/insights.ts';

/**
 * The numbers of TikTok accounts and their posts. TikTok's Developer Terms name no time for which they may be kept, but require that
 * they are deleted when the person ends the authorization.
 * https://developers.tiktok.com/doc/tiktok-api-v2-video-object, https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info
 */
export const tiktokNumbers: PlatformNumbers = {
  ofPost: () => ({
    views: 'view_count',
    likes: 'like_count',
    comments: 'comment_count',
    shares: 'share_count',
  }),
  ofAccount: () => ({ followers: 'follower_count' }),
  keptDays: () => undefined,
};
