import type { PlatformNumbers } from '../contract/insights.ts';

/**
 * The numbers of Threads profiles and their posts. Meta's terms name no time for which they may be kept.
 * https://developers.facebook.com/docs/threads/insights
 */
export const threadsNumbers: PlatformNumbers = {
  ofPost: () => ({
    views: 'views',
    likes: 'likes',
    comments: 'replies',
    shares: 'reposts + quotes + shares',
  }),
  ofAccount: () => ({ followers: 'followers_count', views: 'views' }),
  keptDays: () => undefined,
};
