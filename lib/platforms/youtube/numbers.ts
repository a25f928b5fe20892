import type { PlatformNumbers } from '../contract/insights.ts';

/**
 * The numbers of YouTube channels and their videos. They must be deleted or read again within 30 days.
 * https://developers.google.com/youtube/v3/docs/videos#statistics, https://developers.google.com/youtube/analytics/metrics
 * https://developers.google.com/youtube/terms/developer-policies (III.E.4, "Refreshing, Storing, and Displaying API Data")
 */
export const youtubeNumbers: PlatformNumbers = {
  ofPost: () => ({ views: 'viewCount', likes: 'likeCount', comments: 'commentCount' }),
  ofAccount: () => ({
    followers: 'subscriberCount',
    views: 'views',
    interactions: 'likes + comments + shares',
  }),
  keptDays: () => 30,
};
