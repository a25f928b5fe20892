import type { PlatformFeatures } from '../contract/features.ts';

/**
 * The features that Facebook grants separately. Sources: https://developers.facebook.com/docs/permissions and, for
 * `comments`, https://developers.facebook.com/docs/graph-api/reference/object/comments (`pages_manage_engagement` to
 * comment as the Page). Without `business_management`, Pages that a business owns are not listed.
 */
export const facebookFeatures: PlatformFeatures = {
  scopes: {
    publish: ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts'],
    comments: ['pages_manage_engagement'],
    businessPages: ['business_management'],
    // https://developers.facebook.com/docs/graph-api/reference/insights ("Permissions")
    insights: ['read_insights', 'pages_read_engagement'],
  },
  formerScopes: ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts', 'pages_manage_engagement'],
};
