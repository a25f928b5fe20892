import type { PlatformFeatures } from '../contract/features.ts';

/**
 * The scopes that the app of members may request. Its products are Sign In with OpenID Connect and Share on LinkedIn.
 * The latter has one scope: "`w_member_social` Post, comment and like posts on behalf of an authenticated member".
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/network-update-social-actions
 * The newer scope for comments, `w_member_social_feed`, belongs to the Community Management API, which this app cannot
 * have. So LinkedIn may refuse a comment; the post is then published with a warning.
 */
export const linkedinMemberFeatures: PlatformFeatures = {
  scopes: {
    publish: ['openid', 'profile', 'w_member_social'],
    comments: ['w_member_social'],
  },
  formerScopes: ['openid', 'profile', 'w_member_social'],
};

/**
 * The scopes for members of the app of organizations: the Community Management API also has permissions for members. It gives refresh
 * tokens, and lets members comment.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/community-management-api-migration-guide
 */
export const linkedinPartnerMemberFeatures: PlatformFeatures = {
  scopes: {
    publish: ['r_basicprofile', 'w_member_social'],
    comments: ['w_member_social_feed'],
    // https://learn.microsoft.com/en-us/linkedin/marketing/community-management/members/post-statistics
    insights: ['r_member_postAnalytics'],
  },
  formerScopes: [],
};

/** Returns true if these scopes were granted to the app of members. It cannot have the scopes that mark the other one. */
export const isOfMemberApp = (scopes: readonly string[]): boolean =>
  !['r_basicprofile', 'w_organization_social'].some((scope) => scopes.includes(scope));

/**
 * The scopes that the app of organizations may request. Its product is the Community Management API. Comments are read
 * too, to see whether a call with a lost response succeeded.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api ("Permissions")
 */
export const linkedinOrganizationFeatures: PlatformFeatures = {
  scopes: {
    publish: ['w_organization_social', 'r_organization_social', 'rw_organization_admin'],
    comments: ['w_organization_social_feed', 'r_organization_social_feed'],
    // https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/share-statistics
    insights: ['r_organization_social', 'rw_organization_admin'],
  },
  formerScopes: ['w_organization_social', 'r_organization_social', 'rw_organization_admin'],
};

/**
 * The scopes for organizations if members connect through the same app. Both kinds then request the same scopes for the same features,
 * and what `insights` needs for members says whether it was requested.
 */
export const linkedinSharedOrganizationFeatures: PlatformFeatures = {
  ...linkedinOrganizationFeatures,
  scopes: {
    ...linkedinOrganizationFeatures.scopes,
    insights: [
      ...(linkedinOrganizationFeatures.scopes.insights ?? []),
      ...(linkedinPartnerMemberFeatures.scopes.insights ?? []),
    ],
  },
};

/**
 * The scope with which an organization's followers are found. "This permission is granted to select developers only": an app without
 * it must not request it, or the whole login fails.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-atmention-search-api
 */
export const followersScope = 'r_organization_followers';
