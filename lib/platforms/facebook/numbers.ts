import type { PlatformNumbers } from '../contract/insights.ts';

/**
 * The numbers of Facebook Pages and their posts. Facebook's terms name no time for which they may be kept.
 * https://developers.facebook.com/docs/graph-api/reference/insights (metrics of `post_impressions` and others ended on 15 June 2026)
 * https://developers.facebook.com/terms (Platform Terms, 3.d: delete when no longer necessary, or when asked to)
 */
export const facebookNumbers: PlatformNumbers = {
  // No documented metric counts a single story.
  ofPost: ({ isStory }) =>
    isStory
      ? {}
      : {
          views: 'post_media_view',
          reach: 'post_total_media_view_unique',
          likes: 'reactions',
          comments: 'comments',
          shares: 'shares',
          clicks: 'post_clicks',
        },
  ofAccount: () => ({
    followers: 'page_follows',
    views: 'page_media_view',
    reach: 'page_total_media_view_unique',
    interactions: 'page_post_engagements',
    profileViews: 'page_views_total',
  }),
  keptDays: () => undefined,
};
