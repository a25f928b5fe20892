import { json } from '../kit/answers.ts';
import { daysBetween } from '../kit/numbers.ts';
import type { Operation, Workbench } from '../kit/types.ts';
import { daily, lifetime, metricsOf, periodOf } from '../meta/insights.ts';
import { textField } from '../meta/parameters.ts';
import { dayMilliseconds } from './containers.ts';
import { refuse } from './errors.ts';
import type { GraphOperation } from './graph.ts';
import type { State } from './state.ts';

/** https://developers.facebook.com/docs/instagram-platform/reference/instagram-media/insights, by media product type. */
const mediaMetrics = {
  FEED: ['views', 'reach', 'likes', 'comments', 'shares', 'saved', 'total_interactions', 'follows'],
  REELS: ['views', 'reach', 'likes', 'comments', 'shares', 'saved', 'total_interactions'],
  STORY: ['views', 'reach', 'replies', 'shares', 'total_interactions', 'navigation', 'follows'],
};
const userMetrics = ['reach', 'views', 'total_interactions', 'profile_links_taps', 'follower_count'];

/** "Story media metrics with values less than 5 return an error code 10." */
const fewestViewers = 5;

/** Reads the numbers of media and of the account. Both need `instagram_business_manage_insights`. */
export function insightsOperations(
  graph: GraphOperation,
  { numbers, reads }: Workbench,
  state: State,
): Operation[] {
  const scope = 'instagram_business_manage_insights';
  const unknown = (message: string): never => refuse('100', message);
  return [
    graph('media_insights', 'GET', ':id/insights', scope, (call, { user }) =>
      reads.ofState(call, ({ at }) => {
        const id = call.params['id'] ?? '';
        if (id === user.igId) return userInsights(call.fields, id, at);
        if (numbers.isRefused) return refuse('10');
        const media = state.media.get(id);
        if (media?.igId !== user.igId) return refuse('100/33');
        const metrics = metricsOf(call.fields, mediaMetrics[media.productType], unknown);
        const totalOf = (name: string) => numbers.total(id, name, media.publishedAt, at);
        if (media.productType === 'STORY') {
          // "Story media metrics are only available for 24 hours."
          if (at - media.publishedAt >= dayMilliseconds) return json({ data: [] });
          if ((totalOf('reach') ?? 0) < fewestViewers)
            return refuse('10', '(#10) Not enough viewers for the media to show insights');
        }
        return json(lifetime(metrics, totalOf));
      }),
    ),
  ];

  /** https://developers.facebook.com/docs/instagram-platform/api-reference/instagram-user/insights */
  function userInsights(fields: Parameters<typeof metricsOf>[0], id: string, at: number) {
    if (numbers.isRefused) return refuse('10');
    const metrics = metricsOf(fields, userMetrics, unknown);
    const { since, until } = periodOf(fields, at);
    const days = daysBetween(since, until);
    const numberOf = (name: string, day: string) => numbers.ofDay(id, name, day, at);
    if (textField(fields, 'metric_type') !== 'total_value') {
      const total = metrics.find((name) => name !== 'reach' && name !== 'follower_count');
      if (total !== undefined)
        return refuse(
          '100',
          `(#100) The following metrics (${total}) should be specified with parameter metric_type=total_value`,
        );
      return json(daily(metrics, days, numberOf));
    }
    return json({
      data: metrics.flatMap((name) => {
        const values = days.map((day) => numberOf(name, day)).filter((value) => value !== undefined);
        if (values.length === 0) return [];
        const value = values.reduce((sum, each) => sum + each, 0);
        return [{ name, period: 'day', total_value: { value }, title: name }];
      }),
    });
  }
}
