import type { PlatformNumbers } from '../contract/insights.ts';

/**
 * The numbers of Pins. Pinterest does not allow them to be stored: "call the API each time", except for analytics of campaigns.
 * https://developers.pinterest.com/docs/api/v5/pins-analytics
 * https://policy.pinterest.com/en/developer-guidelines ("Data use")
 */
export const pinterestNumbers: PlatformNumbers = {
  ofPost: () => ({
    views: 'IMPRESSION',
    likes: 'TOTAL_REACTIONS',
    comments: 'TOTAL_COMMENTS',
    saves: 'SAVE',
    clicks: 'OUTBOUND_CLICK',
  }),
  ofAccount: () => ({
    followers: 'follower_count',
    views: 'IMPRESSION',
    interactions: 'ENGAGEMENT',
    clicks: 'OUTBOUND_CLICK',
  }),
  keptDays: () => 0,
};
