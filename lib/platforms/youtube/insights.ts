import * as z from 'zod';
import type { Parameters } from '../contract/http.ts';
import type { PlatformInsights, PostReading } from '../contract/insights.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { count, orPending, sumOf } from '../shared/insights.ts';
import { readResponse } from '../shared/json.ts';
import { apiRoot } from './client.ts';
import { requireSuccess } from './errors.ts';

const reportsUrl = 'https://youtubeanalytics.googleapis.com/v2/reports';

/** Counts are sent as text. */
const Count = z
  .union([z.string().regex(/^\d+$/).transform(Number), z.number()])
  .optional()
  .catch(undefined);

const Videos = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      statistics: z.object({ viewCount: Count, likeCount: Count, commentCount: Count }),
    }),
  ),
});
const Channels = z.object({
  items: z.array(
    z.object({
      statistics: z.object({ subscriberCount: Count, hiddenSubscriberCount: z.boolean().catch(false) }),
    }),
  ),
});
const Report = z.object({ rows: z.array(z.array(z.union([z.string(), z.number()]))).catch([]) });

/** Reads up to 50 videos in a call of one unit. https://developers.google.com/youtube/v3/docs/videos/list */
export const youtubeInsights: PlatformInsights = {
  postsPerRead: 50,

  async readPosts(posts, { accessToken }, tools) {
    const id = posts.map(({ platformPostId }) => platformPostId).join(',');
    const query = { part: 'statistics', id, maxResults: '50' };
    const response = await get(tools, accessToken, `${apiRoot(tools)}/videos`, query);
    const found = new Map(readResponse(Videos, response).items.map((video) => [video.id, video.statistics]));
    return new Map(
      posts.map(({ platformPostId }): [string, PostReading] => {
        const statistics = found.get(platformPostId);
        // The owner sees private videos too, so one that is not listed was deleted.
        if (statistics === undefined) return [platformPostId, 'gone'];
        const { viewCount, likeCount, commentCount } = statistics;
        return [
          platformPostId,
          {
            views: count(viewCount) ?? 'pending',
            // Left out if the owner hides the likes, or has turned off the comments.
            likes: count(likeCount) ?? 'withheld',
            comments: count(commentCount) ?? 'withheld',
          },
        ];
      }),
    );
  },

  /** https://developers.google.com/youtube/analytics/reference/reports/query. Reports are complete after two or three days. */
  async readAccount(days, { accessToken, account }, tools) {
    const channel = readResponse(
      Channels,
      await get(tools, accessToken, `${apiRoot(tools)}/channels`, {
        part: 'statistics',
        id: account.platformAccountId,
      }),
    ).items[0]?.statistics;
    const followers = channel?.hiddenSubscriberCount ? undefined : count(channel?.subscriberCount);
    const report = await get(tools, accessToken, reportsUrl, {
      ids: `channel==${account.platformAccountId}`,
      startDate: days[0],
      endDate: days.at(-1),
      dimensions: 'day',
      metrics: 'views,likes,comments,shares',
    });
    const rows = new Map(
      readResponse(Report, report).rows.map(([day, ...values]) => [day, values.map(count)]),
    );
    return new Map(
      days.map((day) => {
        const [views, ...interactions] = rows.get(day) ?? [];
        return [
          day,
          {
            ...orPending({ views, interactions: sumOf(interactions) }),
            ...(day === days.at(-1) && { followers: followers ?? ('withheld' as const) }),
          },
        ];
      }),
    );
  },
};

async function get(tools: PlatformTools, bearer: string, url: string, query: Parameters) {
  return requireSuccess(await tools.http.send({ method: 'GET', url, query, bearer }), tools.now());
}
