import * as z from 'zod';
import { PlatformError } from '../contract/errors.ts';
import type { Parameters } from '../contract/http.ts';
import type { AskedPost, InsightsRequest, PlatformInsights, PostReading } from '../contract/insights.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { allWithheld, count, orPending, readEach } from '../shared/insights.ts';
import { readResponse } from '../shared/json.ts';
import { callGraph } from '../shared/meta/graph.ts';
import { dailyOf, lifetimeOf, MetaInsights, secondsOf } from '../shared/meta/insights.ts';
import { apiRoot } from './client.ts';
import { instagram, isMissing } from './errors.ts';

const User = z.object({ followers_count: z.unknown().optional() });

/** https://developers.facebook.com/docs/instagram-platform/reference/instagram-media/insights (by media product type) */
const metrics = {
  feed: ['views', 'reach', 'likes', 'comments', 'shares', 'saved'],
  story: ['views', 'reach', 'replies', 'shares'],
} as const;

const totals = ['views', 'total_interactions', 'profile_links_taps'] as const;

/** Instagram documents no call that reads several media at once, so each is read by itself. */
export const instagramInsights: PlatformInsights = {
  postsPerRead: 50,

  readPosts(posts, request, tools) {
    const get = getter(request, tools);
    return readEach(posts, async (post) => {
      const metric = metrics[post.isStory ? 'story' : 'feed'].join(',');
      try {
        const path = `${encodeURIComponent(post.platformPostId)}/insights`;
        return numbersOf(readResponse(MetaInsights, await get(path, { metric })), post);
      } catch (error) {
        if (post.isStory && isTooFew(error)) return allWithheld;
        if (isMissing(error)) return gone(post, get, request);
        throw error;
      }
    });
  },

  /**
   * `reach` has a value for each day. The other metrics have only a total of the period, so each day is a call.
   * https://developers.facebook.com/docs/instagram-platform/api-reference/instagram-user/insights
   */
  async readAccount(days, request, tools) {
    const get = getter(request, tools);
    const user = encodeURIComponent(request.account.platformAccountId);
    const today = days.at(-1) ?? '';
    const { followers_count: followers } = readResponse(User, await get(user, { fields: 'followers_count' }));
    const reached = await get(`${user}/insights`, {
      metric: 'reach',
      period: 'day',
      since: secondsOf(days[0] ?? ''),
      until: secondsOf(today, 1),
    });
    const reach = readResponse(MetaInsights, reached);
    const read = days.map(async (day) => {
      const query = {
        metric: totals.join(','),
        metric_type: 'total_value',
        period: 'day',
        since: secondsOf(day),
        until: secondsOf(day, 1),
      };
      const total = readResponse(MetaInsights, await get(`${user}/insights`, query));
      const numbers = orPending({
        views: lifetimeOf(total, 'views'),
        interactions: lifetimeOf(total, 'total_interactions'),
        clicks: lifetimeOf(total, 'profile_links_taps'),
        reach: dailyOf(reach, 'reach', day),
        ...(day === today && { followers: count(followers) }),
      });
      return [day, numbers] as const;
    });
    return new Map(await Promise.all(read));
  },
};

function getter({ accessToken: token }: InsightsRequest, tools: PlatformTools) {
  const root = apiRoot(tools);
  return (path: string, query: Parameters) =>
    callGraph(tools, instagram, { method: 'GET', url: `${root}/${path}`, token, query });
}

/** "(#10) Not enough viewers for the media to show insights": fewer than five. */
const isTooFew = (error: unknown): boolean => error instanceof PlatformError && error.platformCode === '10';

/** Returns `gone` if Instagram does not have the media although it shows the account: the same error means a missing permission. */
async function gone(
  { platformPostId }: AskedPost,
  get: ReturnType<typeof getter>,
  { account }: InsightsRequest,
): Promise<PostReading> {
  await get(encodeURIComponent(account.platformAccountId), { fields: 'id' });
  try {
    await get(encodeURIComponent(platformPostId), { fields: 'id' });
    return allWithheld;
  } catch (error) {
    if (isMissing(error)) return 'gone';
    throw error;
  }
}

/** Instagram "returns an empty data set instead of 0" for data that does not exist or is not available yet. */
function numbersOf(insights: MetaInsights, { isStory }: AskedPost): PostReading {
  const of = (name: string) => lifetimeOf(insights, name);
  const shared = { views: of('views'), reach: of('reach'), shares: of('shares') };
  return isStory
    ? orPending({ ...shared, comments: of('replies') })
    : orPending({ ...shared, likes: of('likes'), comments: of('comments'), saves: of('saved') });
}
