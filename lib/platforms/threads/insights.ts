import { PlatformError } from '../contract/errors.ts';
import type { Parameters } from '../contract/http.ts';
import type { AskedPost, InsightsRequest, PlatformInsights, PostReading } from '../contract/insights.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { allWithheld, orPending, readEach, sumOf } from '../shared/insights.ts';
import { readResponse } from '../shared/json.ts';
import { dailyOf, lifetimeOf, MetaInsights, secondsOf } from '../shared/meta/insights.ts';
import { apiRoot, callThreads } from './client.ts';
import { isMissing } from './errors.ts';

const metric = 'views,likes,replies,reposts,quotes,shares';

/** Threads documents no call that reads several posts at once, so each is read by itself. */
export const threadsInsights: PlatformInsights = {
  postsPerRead: 50,

  readPosts(posts, request, tools) {
    const get = getter(request, tools);
    return readEach(posts, async (post) => {
      try {
        const path = `${encodeURIComponent(post.platformPostId)}/insights`;
        return numbersOf(readResponse(MetaInsights, await get(path, { metric })));
      } catch (error) {
        if (isMissing(error)) return gone(post, get, request);
        throw error;
      }
    });
  },

  /** https://developers.facebook.com/docs/threads/insights ("User Insights"): `views` by day, `followers_count` without a period. */
  async readAccount(days, request, tools) {
    const get = getter(request, tools);
    const path = `${encodeURIComponent(request.account.platformAccountId)}/threads_insights`;
    const today = days.at(-1) ?? '';
    const period = { since: secondsOf(days[0] ?? ''), until: secondsOf(today, 1) };
    const views = readResponse(MetaInsights, await get(path, { metric: 'views', ...period }));
    const followers = readResponse(MetaInsights, await get(path, { metric: 'followers_count' }));
    return new Map(
      days.map((day) => [
        day,
        orPending({
          views: dailyOf(views, 'views', day),
          ...(day === today && { followers: lifetimeOf(followers, 'followers_count') }),
        }),
      ]),
    );
  },
};

function getter({ accessToken: token }: InsightsRequest, tools: PlatformTools) {
  const root = apiRoot(tools);
  return (path: string, query: Parameters) =>
    callThreads(tools, { method: 'GET', url: `${root}/${path}`, token, query });
}

/** Returns `gone` if Threads does not have the post although it shows the profile. */
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
    if (error instanceof PlatformError && isMissing(error)) return 'gone';
    throw error;
  }
}

function numbersOf(insights: MetaInsights): PostReading {
  const of = (name: string) => lifetimeOf(insights, name);
  return orPending({
    views: of('views'),
    likes: of('likes'),
    comments: of('replies'),
    shares: sumOf([of('reposts'), of('quotes'), of('shares')]),
  });
}
