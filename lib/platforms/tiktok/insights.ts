import * as z from 'zod';
import type { PlatformInsights, PostReading } from '../contract/insights.ts';
import { allWithheld, count, orPending } from '../shared/insights.ts';
import { readResponse } from '../shared/json.ts';
import { apiRoot } from './client.ts';
import { requireSuccess } from './errors.ts';

const Id = z.union([z.string().min(1), z.int()]).transform(String);

const Videos = z.object({
  data: z.object({
    videos: z
      .array(
        z.object({
          id: Id,
          view_count: z.unknown().optional(),
          like_count: z.unknown().optional(),
          comment_count: z.unknown().optional(),
          share_count: z.unknown().optional(),
        }),
      )
      .catch([]),
  }),
});
const User = z.object({ data: z.object({ user: z.object({ follower_count: z.unknown().optional() }) }) });

/**
 * Reads up to 20 posts in a call, which is the most that TikTok takes. It leaves out a post that is not public, so one that is missing
 * may still exist. https://developers.tiktok.com/doc/tiktok-api-v2-video-query
 */
export const tiktokInsights: PlatformInsights = {
  postsPerRead: 20,

  async readPosts(posts, { accessToken: bearer }, tools) {
    const video_ids = posts.map(({ platformPostId }) => platformPostId);
    const response = await tools.http.send({
      method: 'POST',
      url: `${apiRoot(tools)}/video/query/`,
      query: { fields: 'id,view_count,like_count,comment_count,share_count' },
      bearer,
      body: { json: { filters: { video_ids } } },
    });
    const { data } = readResponse(Videos, requireSuccess(response));
    const found = new Map(data.videos.map((video) => [video.id, video]));
    return new Map(
      video_ids.map((id): [string, PostReading] => {
        const video = found.get(id);
        if (video === undefined) return [id, allWithheld];
        return [
          id,
          orPending({
            views: count(video.view_count),
            likes: count(video.like_count),
            comments: count(video.comment_count),
            shares: count(video.share_count),
          }),
        ];
      }),
    );
  },

  /** TikTok tells only the followers of now. https://developers.tiktok.com/doc/tiktok-api-v2-get-user-info */
  async readAccount(days, { accessToken: bearer }, tools) {
    const response = await tools.http.send({
      method: 'GET',
      url: `${apiRoot(tools)}/user/info/`,
      query: { fields: 'follower_count' },
      bearer,
    });
    const { user } = readResponse(User, requireSuccess(response)).data;
    return new Map([[days.at(-1) ?? '', orPending({ followers: count(user.follower_count) })]]);
  },
};
