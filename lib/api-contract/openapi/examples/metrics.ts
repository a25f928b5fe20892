import { account, ids, listedPost, publishedTarget } from './things.ts';

const asOf = '2026-02-07T08:03:11.204Z';
const metric = (value: number, platformName: string, at = asOf) =>
  ({ value, reason: null, platformName, asOf: at }) as const;
const none = (reason: 'not_offered' | 'pending') =>
  ({ value: null, reason, platformName: null, asOf: null }) as const;

const numbers = (views: number, reach: number, likes: number, at = asOf) =>
  ({
    views: metric(views, 'views', at),
    reach: metric(reach, 'reach', at),
    likes: metric(likes, 'likes', at),
    comments: metric(4, 'comments', at),
    shares: metric(2, 'shares', at),
    saves: metric(9, 'saved', at),
    clicks: none('not_offered'),
  }) as const;

const waiting = {
  ...{ views: none('pending'), reach: none('pending'), likes: none('pending'), comments: none('pending') },
  ...{ shares: none('pending'), saves: none('pending'), clicks: none('not_offered') },
} as const;

const identity = {
  accountId: account.id,
  platform: 'instagram',
  platformPostId: publishedTarget.platformPostId,
  publishedAt: publishedTarget.publishedAt,
  removedAt: null,
} as const;

const hourly = '2026-02-06T08:04:02.115Z';
const snapshot = {
  age: '1h',
  dueAt: '2026-02-06T08:00:00.412Z',
  metrics: numbers(310, 268, 41, hourly),
} as const;

const listed = {
  postId: ids.post,
  ...identity,
  permalink: publishedTarget.permalink,
  content: listedPost.content,
  tags: listedPost.tags,
  asOf,
  metrics: numbers(1_204, 988, 137),
} as const;

/** Examples of the numbers of posts and accounts. */
export const examples = {
  getPostMetrics: {
    responses: {
      200: {
        metrics: {
          postId: ids.post,
          targets: [
            {
              ...identity,
              reason: null,
              message: null,
              asOf,
              freshFrom: '2026-02-07T08:18:11.204Z',
              metrics: numbers(1_204, 988, 137),
              snapshots: [
                snapshot,
                { age: '1d', dueAt: '2026-02-07T08:00:00.412Z', metrics: numbers(1_204, 988, 137) },
                { age: '7d', dueAt: '2026-02-13T08:00:00.412Z', metrics: waiting },
                { age: '28d', dueAt: '2026-03-06T08:00:00.412Z', metrics: waiting },
              ],
            },
          ],
        },
      },
    },
  },
  getAccountMetrics: {
    responses: {
      200: {
        metrics: {
          accountId: account.id,
          platform: 'instagram',
          reason: null,
          message: null,
          days: [
            {
              day: '2026-02-06',
              metrics: {
                followers: metric(2_318, 'followers_count'),
                views: metric(4_410, 'views'),
                reach: metric(1_902, 'reach'),
                interactions: metric(214, 'total_interactions'),
                profileViews: none('not_offered'),
                clicks: none('not_offered'),
              },
            },
          ],
        },
      },
    },
  },
  listMetrics: { responses: { 200: { posts: [listed], nextCursor: null } } },
  listBestPosts: { responses: { 200: { month: '2026-02', posts: [listed] } } },
} as const;

/** An example of the data of the event `post.metrics`. */
export const metricsEvent = { postId: ids.post, ...identity, snapshot } as const;
