import * as z from 'zod';
import { dayMs } from '../../kernel/clock.ts';
import type { AskedPost, InsightsRequest, PlatformInsights, PostReading } from '../contract/insights.ts';
import type { PlatformTools } from '../contract/tools.ts';
import { count, orPending } from '../shared/insights.ts';
import { readResponse } from '../shared/json.ts';
import { isNoSuchPost } from '../shared/removal.ts';
import { callPinterest } from './client.ts';

const Metrics = z.record(z.string(), z.unknown());
const Pins = z.record(
  z.string(),
  z.record(
    z.string(),
    z.object({
      summary_metrics: Metrics.optional().catch(undefined),
      lifetime_metrics: Metrics.optional().catch(undefined),
    }),
  ),
);
const User = z.object({ follower_count: z.unknown().optional() });
const Account = z.record(
  z.string(),
  z.object({ daily_metrics: z.array(z.object({ date: z.string(), metrics: Metrics.catch({}) })).catch([]) }),
);

/** "Cannot be more than 90 days back from today." */
const longestDays = 90;
const dayOf = (epochMs: number) => new Date(epochMs).toISOString().slice(0, 10);

/** Reads up to 100 Pins in a call. https://developers.pinterest.com/docs/api/v5/multi_pins-analytics */
export const pinterestInsights: PlatformInsights = {
  postsPerRead: 100,

  async readPosts(posts, request, tools) {
    const { nowMs, accessToken: bearer } = request;
    const oldest = Math.min(...posts.map(({ publishedMs }) => publishedMs));
    const response = await callPinterest(tools, {
      method: 'GET',
      // Each id is a parameter of its own.
      path: `pins/analytics?${posts.map(({ platformPostId: id }) => `pin_ids=${encodeURIComponent(id)}`).join('&')}`,
      query: {
        start_date: dayOf(Math.max(oldest, nowMs - (longestDays - 1) * dayMs)),
        end_date: dayOf(nowMs),
        metric_types: 'IMPRESSION,SAVE,OUTBOUND_CLICK,TOTAL_COMMENTS,TOTAL_REACTIONS',
      },
      bearer,
    });
    const found = readResponse(Pins, response);
    const readings = new Map<string, PostReading>();
    for (const post of posts) {
      const pin = found[post.platformPostId]?.['all'];
      if (pin === undefined) {
        if (await isGone(post, request, tools)) readings.set(post.platformPostId, 'gone');
        continue;
      }
      const { summary_metrics: summary = {}, lifetime_metrics: lifetime = {} } = pin;
      readings.set(
        post.platformPostId,
        orPending({
          views: count(summary['IMPRESSION']),
          saves: count(summary['SAVE']),
          clicks: count(summary['OUTBOUND_CLICK']),
          comments: count(lifetime['TOTAL_COMMENTS']),
          likes: count(lifetime['TOTAL_REACTIONS']),
        }),
      );
    }
    return readings;
  },

  /** https://developers.pinterest.com/docs/api/v5/user_account-analytics */
  async readAccount(days, { accessToken: bearer }, tools) {
    const user = readResponse(
      User,
      await callPinterest(tools, { method: 'GET', path: 'user_account', bearer }),
    );
    const response = await callPinterest(tools, {
      method: 'GET',
      path: 'user_account/analytics',
      query: {
        start_date: days[0],
        end_date: days.at(-1),
        metric_types: 'IMPRESSION,ENGAGEMENT,OUTBOUND_CLICK',
      },
      bearer,
    });
    const daily = readResponse(Account, response)['all']?.daily_metrics ?? [];
    return new Map(
      days.map((day) => {
        const metrics = daily.find(({ date }) => date === day)?.metrics ?? {};
        return [
          day,
          orPending({
            views: count(metrics['IMPRESSION']),
            interactions: count(metrics['ENGAGEMENT']),
            clicks: count(metrics['OUTBOUND_CLICK']),
            ...(day === days.at(-1) && { followers: count(user.follower_count) }),
          }),
        ];
      }),
    );
  },
};

async function isGone(
  { platformPostId }: AskedPost,
  { accessToken: bearer }: InsightsRequest,
  tools: PlatformTools,
): Promise<boolean> {
  try {
    await callPinterest(tools, { method: 'GET', path: `pins/${encodeURIComponent(platformPostId)}`, bearer });
    return false;
  } catch (error) {
    if (isNoSuchPost(error)) return true;
    throw error;
  }
}
