import type { PlatformNumbers } from '../contract/insights.ts';

/**
 * The numbers of Instagram accounts and their media. Meta's terms name no time for which they may be kept.
 * https://developers.facebook.com/docs/instagram-platform/reference/instagram-media/insights
 * https://developers.facebook.com/docs/instagram-platform/api-reference/instagram-user/insights
 */
export const instagramNumbers: PlatformNumbers = {
  ofPost: ({ isStory }) =>
    isStory
      ? { views: 'views', reach: 'reach', comments: 'replies', shares: 'shares' }
      : {
          views: 'views',
          reach: 'reach',
          likes: 'likes',
          comments: 'comments',
          shares: 'shares',
          saves: 'saved',
        },
  ofAccount: () => ({
    followers: 'followers_count',
    views: 'views',
    reach: 'reach',
    interactions: 'total_interactions',
    clicks: 'profile_links_taps',
  }),
  keptDays: () => undefined,
};
