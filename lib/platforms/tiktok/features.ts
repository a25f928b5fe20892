import type { PlatformFeatures } from '../contract/features.ts';

/**
 * The features that TikTok grants separately. If the app is not approved for one requested scope, TikTok refuses the
 * whole login, so each scope that Herald can do without is a feature of its own.
 * https://developers.tiktok.com/doc/tiktok-api-scopes
 */
export const tiktokFeatures: PlatformFeatures = {
  scopes: {
    publish: ['user.info.basic', 'video.publish'],
    drafts: ['video.upload'],
    postSearch: ['video.list'],
    profile: ['user.info.profile'],
    // The counts of videos come with `video.list`, those of the account with `user.info.stats`.
    insights: ['video.list', 'user.info.stats'],
  },
  onRequest: ['drafts', 'postSearch', 'profile'],
  formerScopes: ['user.info.basic', 'user.info.profile', 'video.publish'],
};
