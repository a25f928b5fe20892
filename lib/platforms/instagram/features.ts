import type { PlatformFeatures } from '../contract/features.ts';

/**
 * The features that the Instagram API with Instagram Login grants separately. Source:
 * https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login ("Permissions"). Each
 * scope except the basic one needs its own App Review.
 */
export const instagramFeatures: PlatformFeatures = {
  scopes: {
    publish: ['instagram_business_basic', 'instagram_business_content_publish'],
    comments: ['instagram_business_manage_comments'],
    messages: ['instagram_business_manage_messages'],
    // https://developers.facebook.com/docs/instagram-platform/insights
    insights: ['instagram_business_manage_insights'],
  },
  formerScopes: [
    'instagram_business_basic',
    'instagram_business_content_publish',
    'instagram_business_manage_comments',
    'instagram_business_manage_messages',
  ],
};
