import * as z from 'zod';
import { PlatformError } from '../contract/errors.ts';
import type { Parameters } from '../contract/http.ts';
import type { AskedPost, InsightsRequest, PlatformInsights, PostReading } from '../contract/insights.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { allWithheld, count, orPending, readEach } from '../shared/insights.ts';
import { readResponse } from '../shared/json.ts';
import { callGraph, GraphId } from '../shared/meta/graph.ts';
import { dailyOf, lifetimeOf, MetaInsights, secondsOf } from '../shared/meta/insights.ts';
import { apiRoot, appSecretProof } from './client.ts';
import { facebook, isMissing } from './errors.ts';

const Summary = z
  .object({ summary: z.object({ total_count: z.unknown().optional() }) })
  .optional()
  .catch(undefined);

const Post = z.object({
  insights: MetaInsights.optional().catch(undefined),
  reactions: Summary,
  comments: Summary,
  shares: z.object({ count: z.unknown().optional() }).optional().catch(undefined),
});
const Posts = z.record(z.string(), Post);
const Videos = z.record(z.string(), z.object({ post_id: GraphId.optional().catch(undefined) }));

/** https://developers.facebook.com/docs/graph-api/reference/page-post, .../reference/insights */
const postFields = [
  'insights.metric(post_media_view,post_total_media_view_unique,post_clicks).period(lifetime){name,values}',
  'reactions.limit(0).summary(total_count)',
  'comments.limit(0).summary(total_count)',
  'shares',
].join(',');

const pageMetrics = [
  'page_follows',
  'page_media_view',
  'page_total_media_view_unique',
  'page_post_engagements',
  'page_views_total',
] as const;

/**
 * Reads up to 50 posts in one call by their `ids`, which is the most that the Graph API takes. If one of them is gone, it refuses them
 * all, and they are read one by one. https://developers.facebook.com/docs/graph-api/batch-requests
 */
export const facebookInsights: PlatformInsights = {
  postsPerRead: 50,

  async readPosts(posts, request, tools) {
    const readable = posts.filter(({ isStory }) => !isStory);
    const get = getter(request, tools);
    const all = await together(readable, get, request);
    if (all) return all;
    return readEach(
      readable,
      async (post) =>
        (await together([post], get, request))?.get(post.platformPostId) ?? gone(post, get, request),
    );
  },

  async readAccount(days, request, tools) {
    const get = getter(request, tools);
    const [first = '', last = ''] = [days[0], days.at(-1)];
    const query = {
      metric: pageMetrics.join(','),
      period: 'day',
      since: secondsOf(first),
      until: secondsOf(last, 1),
    };
    const page = encodeURIComponent(request.account.platformAccountId);
    const insights = readResponse(MetaInsights, await get(`${page}/insights`, query));
    return new Map(
      days.map((day) => [
        day,
        orPending({
          followers: dailyOf(insights, 'page_follows', day),
          views: dailyOf(insights, 'page_media_view', day),
          reach: dailyOf(insights, 'page_total_media_view_unique', day),
          interactions: dailyOf(insights, 'page_post_engagements', day),
          profileViews: dailyOf(insights, 'page_views_total', day),
        }),
      ]),
    );
  },
};

type Get = ReturnType<typeof getter>;

function getter({ accessToken: token }: InsightsRequest, tools: PlatformTools) {
  const root = apiRoot(tools);
  const proof = appSecretProof(token, tools);
  return (path: string, query: Parameters) =>
    callGraph(tools, facebook, {
      method: 'GET',
      url: `${root}/${path}`,
      token,
      query: { ...query, ...proof },
    });
}

/** Returns the numbers of several posts; `undefined` if one of them cannot be read. @throws PlatformError for other failures */
async function together(
  posts: readonly AskedPost[],
  get: Get,
  request: InsightsRequest,
): Promise<ReadonlyMap<string, PostReading> | undefined> {
  if (posts.length === 0) return new Map();
  try {
    const ids = await postIds(posts, get, request);
    const asked = [...new Set(ids.values())];
    const query = { ids: asked.join(','), fields: postFields };
    const found = asked.length === 0 ? {} : readResponse(Posts, await get('', query));
    return new Map(
      posts.flatMap(({ platformPostId }): [string, PostReading][] => {
        const id = ids.get(platformPostId);
        const post = id === undefined ? undefined : found[id];
        return post ? [[platformPostId, numbersOf(post)]] : [];
      }),
    );
  } catch (error) {
    if (isAliasMissing(error)) return undefined;
    throw error;
  }
}

/** Returns the ids of posts. A video has an id of its own, and names its post. */
async function postIds(
  posts: readonly AskedPost[],
  get: Get,
  { account }: InsightsRequest,
): Promise<ReadonlyMap<string, string>> {
  const ids = posts.map(({ platformPostId }) => platformPostId);
  const videos = ids.filter((id) => !id.includes('_'));
  const found =
    videos.length === 0
      ? {}
      : readResponse(Videos, await get('', { ids: videos.join(','), fields: 'post_id' }));
  return new Map(
    ids.flatMap((id): [string, string][] => {
      if (id.includes('_')) return [[id, id]];
      const postId = found[id]?.post_id;
      if (postId === undefined) return [];
      // Live responses have both the whole id and only its part after the Page's.
      return [[id, postId.includes('_') ? postId : `${account.platformAccountId}_${postId}`]];
    }),
  );
}

/** "Some of the aliases you requested do not exist" (803), or the object itself does not. */
const isAliasMissing = (error: unknown): boolean =>
  isMissing(error) || (error instanceof PlatformError && error.platformCode === '803');

/**
 * Returns `gone` if Facebook does not have the post although it shows the Page: the same error means a missing permission. Asks for
 * the id alone, which needs no permission for insights.
 */
async function gone(
  { platformPostId }: AskedPost,
  get: Get,
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

function numbersOf({
  insights = { data: [] },
  reactions,
  comments,
  shares,
}: z.infer<typeof Post>): PostReading {
  return {
    ...orPending({
      views: lifetimeOf(insights, 'post_media_view'),
      reach: lifetimeOf(insights, 'post_total_media_view_unique'),
      clicks: lifetimeOf(insights, 'post_clicks'),
      likes: count(reactions?.summary.total_count),
      comments: count(comments?.summary.total_count),
    }),
    // Facebook leaves the field out of posts that nobody has shared.
    shares: count(shares?.count) ?? 0,
  };
}
