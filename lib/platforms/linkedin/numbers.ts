import type { PlatformNumbers } from '../contract/insights.ts';

/**
 * The numbers of LinkedIn organizations, members and their posts. Social activity of members may be kept for 48 hours, that of
 * organizations for six months.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/organizations/share-statistics
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/members/post-statistics
 * https://learn.microsoft.com/en-us/linkedin/marketing/data-storage-requirements
 */
export const linkedinNumbers: PlatformNumbers = {
  ofPost: ({ as }) =>
    as === 'organization'
      ? {
          views: 'impressionCount',
          reach: 'uniqueImpressionsCount',
          likes: 'likeCount',
          comments: 'commentCount',
          shares: 'shareCount',
          clicks: 'clickCount',
        }
      : {
          views: 'IMPRESSION',
          reach: 'MEMBERS_REACHED',
          likes: 'REACTION',
          comments: 'COMMENT',
          shares: 'RESHARE',
        },
  ofAccount: ({ as }) =>
    as === 'organization'
      ? {
          followers: 'firstDegreeSize',
          views: 'impressionCount',
          reach: 'uniqueImpressionsCount',
          interactions: 'likeCount + commentCount + shareCount',
          clicks: 'clickCount',
        }
      : { views: 'IMPRESSION', interactions: 'REACTION + COMMENT + RESHARE' },
  keptDays: ({ as }) => (as === 'organization' ? 180 : 2),
};
